import { DAY_MS, HOUR_MS } from "@krug/domain/moment";
import { cliffIn, isOver, REACH_STEP_MS, type ReachSample } from "@krug/domain/outage-detection";
import { keepsDevicesOff } from "@krug/domain/probe";
import type { Db, Tx } from "../../../platform/database/database.ts";
import { makeForgetAhead } from "../../../platform/forget-ahead.ts";
import { groupBy } from "../../../platform/group-by.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { Configs } from "../configs/index.ts";
import { type Interfaces, interfaceDeleted, type Place } from "../interfaces/index.ts";
import type { Probe } from "../probe/index.ts";
import { beginningOf, SPANS, STEPS } from "../server-history/index.ts";
import { reachBack, reachLost } from "./events.ts";
import * as repository from "./repository.ts";
import type { CliffRow, ReachSampleRow } from "./table.ts";

export { reachBack, reachLost } from "./events.ts";

interface Parts extends Platform {
  interfaces: Pick<Interfaces, "knownPlaces">;
  configs: Pick<Configs, "reach">;
  probe: Pick<Probe, "of">;
}

const KEPT_MS = { day: DAY_MS + HOUR_MS, month: 31 * DAY_MS };
/** The span searched for a sudden drop. */
const LOOKED_AT_MS = HOUR_MS;

/**
 * Records how many devices of each interface should be online and are, and notifies staff when they drop at once
 * (docs/adr/0071-a-block-is-a-cliff.md). One panel of the club counts every five minutes.
 */
export function makeOutageDetection({ db, transact, clock, events, interfaces, configs, probe }: Parts) {
  const forgetAhead = makeForgetAhead({ db, transact, clock }, { table: "reach_samples", steps: STEPS });

  const look = async (): Promise<void> => {
    await forgetAhead();
    const now = clock.now().getTime();
    const places = await interfaces.knownPlaces(db);
    const counts = await configs.reach(db, now);
    const seen = [...places.values()].filter(isUp).flatMap(({ interface: { id } }) => {
      const count = counts.get(id);
      return count === undefined ? [] : [{ id, ...count }];
    });
    await transact((tx) =>
      repository.addToSteps(
        tx,
        seen.flatMap(({ id, expected, online }) =>
          STEPS.map((step) => ({
            interface_id: id,
            step,
            at: beginningOf(step, now),
            looks: 1,
            expected,
            online,
          })),
        ),
      ),
    );
    await judge(places, now);
  };

  const judge = async (places: ReadonlyMap<string, Place>, now: number): Promise<void> => {
    const span = { step: SPANS.day.step, from: now - LOOKED_AT_MS, to: now };
    const byInterface = groupBy(await repository.samples(db, span), (row) => row.interface_id);
    const noted = await repository.cliffs(db);
    for (const [id, rows] of byInterface) {
      const place = places.get(id);
      if (place === undefined) continue;
      const samples = rows.map(toSample);
      const cliff = noted.get(id);
      if (cliff !== undefined) {
        if (isOver({ since: cliff.since, share: cliff.share / 1_000 }, samples)) await end(place, cliff, now);
        continue;
      }
      const found = cliffIn(samples);
      if (found === null || !(await seemsWell(place))) continue;
      await transact(async (tx) => {
        const row = { interface_id: id, since: found.since, share: Math.round(found.share * 1_000) };
        if (await repository.note(tx, row))
          await events.record(tx, reachLost, { ...namesOf(place), since: found.since });
      });
    }
  };

  /** If not, the probe's result is notified already. */
  const seemsWell = async (place: Place): Promise<boolean> => {
    const answer = (await probe.of(db, [place])).get(place.interface.id);
    return answer === undefined || !keepsDevicesOff(answer.state);
  };

  const end = (place: Place, { interface_id, since }: CliffRow, until: number) =>
    transact(async (tx) => {
      if (await repository.end(tx, interface_id))
        await events.record(tx, reachBack, { ...namesOf(place), since, until });
    });

  events.on(interfaceDeleted, async (tx: Tx, { interfaceId }) => void (await repository.end(tx, interfaceId)));

  return {
    /** Since when, ms, these interfaces' devices are gone; by interface id, absent if all is well. */
    goneSince: async (over: Db): Promise<Map<string, number>> =>
      new Map([...(await repository.cliffs(over))].map(([id, { since }]) => [id, since])),
    timed: [{ name: "reach of interfaces", at: "50 */5 * * * *", leaseMs: REACH_STEP_MS / 2, run: look }],
    forgetOld: (): Promise<void> =>
      transact(async (tx) => {
        const now = clock.now().getTime();
        await repository.removeBefore(tx, SPANS.day.step, now - KEPT_MS.day);
        await repository.removeBefore(tx, SPANS.month.step, now - KEPT_MS.month);
      }),
  };
}

/** Whether its devices can be online as far as the club is concerned. */
const isUp = ({ interface: row, server }: Place): boolean =>
  row.is_active === 1 && row.conflict === null && server.unreachable_since === null;

const namesOf = ({ interface: { name }, server }: Place) => ({ name, server: server.name });

const toSample = ({ at, looks, expected, online }: ReachSampleRow): ReachSample => ({
  at,
  expected: expected / looks,
  online: online / looks,
});
