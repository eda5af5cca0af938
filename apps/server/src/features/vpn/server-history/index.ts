import { DAY_MS, HOUR_MS } from "@krug/domain/moment";
import { type Host, HostFailure, type MachineState } from "../../../hosts/host.ts";
import { makeForgetAhead } from "../../../platform/forget-ahead.ts";
import { makeLimiter } from "../../../platform/limiter.ts";
import type { Platform } from "../../../platform/platform.ts";
import { laneOf, type ServerRow, type Servers } from "../servers/index.ts";
import { passedBetween } from "./passed.ts";
import * as repository from "./repository.ts";
import type { ReadingRow, SampleRow } from "./table.ts";

interface Parts extends Platform {
  servers: Servers;
}

const AT_ONCE = 20;

/** The spans shown: the length of their steps and how many there are. */
export const SPANS = {
  day: { step: 5 * 60, count: 24 * 12 },
  month: { step: 2 * 3_600, count: 30 * 12 },
} as const;
export const STEPS = Object.values(SPANS).map(({ step }) => step);

const KEPT_MS = { day: DAY_MS + HOUR_MS, month: 31 * DAY_MS };

/**
 * Records how busy the servers' machines were. The panel that works on a server reads its machine every five minutes; a reading
 * covers the time since the previous one, whichever panel made that.
 */
export function makeServerHistory({ db, transact, clock, heldLeases, servers }: Parts) {
  const limited = makeLimiter(AT_ONCE);
  const forgetAhead = makeForgetAhead({ db, transact, clock }, { table: "server_samples", steps: STEPS });

  const read = async (server: ServerRow, host: Host) => {
    const state = await host.readMachine().catch((error: unknown) => {
      // Others record that it is down; the step stays empty.
      if (error instanceof HostFailure) return null;
      throw error;
    });
    return state === null ? [] : [{ state, reading: readingOf(server.id, state, clock.now().getTime()) }];
  };

  const look = async (): Promise<void> => {
    await forgetAhead();
    const looks = (await servers.workable(db)).map(async (server) => {
      const host = server.unreachable_since === null ? servers.hostOf(server) : null;
      if (host === null || (await heldLeases.hold(laneOf(server).lane)) === null) return [];
      return (await limited(() => read(server, host)))?.result ?? [];
    });
    const seen = (await Promise.all(looks)).flat();
    if (seen.length === 0) return;
    await transact(async (tx) => {
      const before = await repository.readings(tx);
      await repository.writeReadings(
        tx,
        seen.map(({ reading }) => reading),
      );
      await repository.addToSteps(
        tx,
        seen.flatMap(({ state, reading }) => samplesOf(state, before.get(reading.server_id), reading)),
      );
    });
  };

  return {
    timed: [{ name: "history of servers", at: "15 */5 * * * *", run: look }],
    forgetOld: (): Promise<void> =>
      transact(async (tx) => {
        const now = clock.now().getTime();
        await repository.removeBefore(tx, SPANS.day.step, now - KEPT_MS.day);
        await repository.removeBefore(tx, SPANS.month.step, now - KEPT_MS.month);
        await repository.removeReadingsBefore(tx, now - KEPT_MS.month);
      }),
  };
}

const readingOf = (serverId: string, { cpuTimes, network }: MachineState, at: number): ReadingRow => ({
  server_id: serverId,
  at,
  cpu_idle: cpuTimes.idle,
  cpu_total: cpuTimes.total,
  network_in: network.in,
  network_out: network.out,
});

/** What a reading adds to the steps in which the time since the last one began. */
function samplesOf(state: MachineState, before: ReadingRow | undefined, reading: ReadingRow): SampleRow[] {
  const passed = passedBetween(before, { ...reading, startedAt: reading.at - state.uptimeS * 1_000 });
  if (passed === null) return [];
  return Object.values(SPANS).map(({ step }) => ({
    server_id: reading.server_id,
    step,
    at: beginningOf(step, passed.since),
    readings: 1,
    cpu: passed.cpu,
    memory: state.memory.total - state.memory.free,
    memory_total: state.memory.total,
    load: Math.round(state.load[0] * 1_000),
    network_in: passed.received,
    network_out: passed.sent,
  }));
}

/** The start of the step, `step` seconds long, that contains this time. */
export const beginningOf = (step: number, at: number): number => at - (at % (step * 1_000));
