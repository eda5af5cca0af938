import {
  DORMANT_KEPT_DAYS,
  DORMANT_NOTICE_DAYS,
  isToldToo,
  isToSwitchOff,
  isToTell,
  keptUntil,
  toldFrom,
} from "@krug/domain/dormancy";
import { DAY_MS } from "@krug/domain/moment";
import { letOthersIn } from "../../../platform/database/chunks.ts";
import type { Tx } from "../../../platform/database/database.ts";
import { groupBy } from "../../../platform/group-by.ts";
import type { Actor } from "../../../platform/http/call.ts";
import { refuse } from "../../../platform/refusal.ts";
import { tellOfEnds } from "./device-end.ts";
import * as dormant from "./dormant-repository.ts";
import { configsChanged, configsDeleted, devicesUnseen, type UnseenStage } from "./events.ts";
import type { Changed, ConfigParts } from "./parts.ts";
import * as peers from "./peers-repository.ts";
import * as places from "./places.ts";
import * as repository from "./repository.ts";
import type { ConfigRow } from "./table.ts";
import { reachOf } from "./usage-repository.ts";
import { enqueueApply } from "./wire-jobs.ts";

/** Devices of one transaction: each ends before others wait long. */
const AT_ONCE = 500;

/**
 * Switches off devices that nobody uses, and back on (ADR 186). A day counts against a device only if it was on the wire and
 * another device of its interface connected: then its server was there, was read, and let devices in.
 */
export function makeDormant(parts: ConfigParts) {
  const { db, transact, clock, clubTime, events, jobs, interfaces, members, settings, traffic, audit } = parts;

  /** One notice for all of a member's devices, the oldest first. */
  const tell = (
    tx: Tx,
    stage: UnseenStage,
    at: number,
    rows: readonly Pick<ConfigRow, "member_id" | "name" | "created_at">[],
  ) => {
    const byMember = groupBy(
      rows.toSorted((a, b) => a.created_at - b.created_at),
      (row) => row.member_id,
    );
    const told = [...byMember].map(([memberId, own]) => ({ memberId, names: own.map(({ name }) => name), stage, at }));
    return events.record(tx, devicesUnseen, told);
  };

  const countToday = async () => {
    const now = clock.now().getTime();
    const when = { today: clubTime.dayOf(now), aDayAgo: now - DAY_MS, now };
    await transact((tx) => dormant.forgetUsed(tx, traffic.counters(tx)));
    const inUse = [...(await reachOf(db, traffic.counters(db), now)).keys()];
    await transact((tx) => dormant.countDay(tx, when.today, inUse));
    for (const interfaceId of inUse) {
      await transact((tx) => dormant.beginWithMissing(tx, traffic.counters(tx), { interfaceId, ...when }));
      await letOthersIn();
    }
  };

  /** Tells the owners of some; whether there may be more. */
  const tellSome = (offAfter: number): Promise<boolean> =>
    transact(async (tx) => {
      const due = (await dormant.missingFor(tx, offAfter - DORMANT_NOTICE_DAYS, AT_ONCE, false)).filter((row) =>
        isToTell(row, offAfter),
      );
      if (due.length === 0) return false;
      const all = await dormant.missingOf(tx, [...new Set(due.map(({ member_id }) => member_id))]);
      const told = all.filter((row) => isToldToo(row, offAfter));
      await dormant.noteTold(
        tx,
        told.map(({ id }) => id),
      );
      await tell(tx, "soon", clock.now().getTime() + DORMANT_NOTICE_DAYS * DAY_MS, told);
      return true;
    });

  const switchSomeOff = (offAfter: number): Promise<boolean> =>
    transact(async (tx) => {
      const due = (await dormant.missingFor(tx, offAfter, AT_ONCE, true)).filter((row) => isToSwitchOff(row, offAfter));
      const rows = (
        await repository.lockMany(
          tx,
          due.map(({ id }) => id),
        )
      ).filter((row) => row.deleted_at === null && row.dormant_since === null);
      if (rows.length === 0) return false;
      const ids = rows.map(({ id }) => id);
      const now = clock.now().getTime();
      await repository.updateMany(tx, ids, { dormant_since: now });
      await dormant.countFromNow(tx, ids);
      await events.record(tx, configsChanged, { memberIds: [...new Set(rows.map((row) => row.member_id))] });
      await tell(tx, "off", keptUntil(now), rows);
      await enqueueApply({ jobs, interfaces }, tx, rows);
      return true;
    });

  const deleteSome = (): Promise<boolean> =>
    transact(async (tx) => {
      const now = clock.now().getTime();
      const due = { days: DORMANT_KEPT_DAYS, before: now - DORMANT_KEPT_DAYS * DAY_MS, limit: AT_ONCE };
      const rows = (await repository.lockMany(tx, await dormant.offFor(tx, due))).filter(
        (row) => row.deleted_at === null && row.dormant_since !== null,
      );
      if (rows.length === 0) return false;
      const ids = rows.map(({ id }) => id);
      await repository.updateMany(tx, ids, { deleted_at: now });
      await dormant.forget(tx, ids);
      await parts.auth.voidConfigLinks(tx, ids);
      await events.record(tx, configsChanged, { memberIds: [...new Set(rows.map((row) => row.member_id))] });
      await events.record(tx, configsDeleted, rows);
      await tell(
        tx,
        "deleted",
        now,
        rows.filter((row) => row.has_ended === 0),
      );
      await tellOfEnds(
        parts,
        tx,
        "deleted",
        rows.filter((row) => row.has_ended === 1),
        () => now,
      );
      await enqueueApply({ jobs, interfaces }, tx, [...rows, ...(await places.leave(tx, ids, now))]);
      return true;
    });

  const whileAny = async (some: () => Promise<boolean>) => {
    while (await some()) await letOthersIn();
  };

  return {
    /** Counts the day, and does what is due; a second time on the same day it changes nothing. */
    async watch(): Promise<void> {
      const { dormantAfterDays: offAfter } = await settings.read(db);
      if (offAfter === 0)
        return transact(async (tx) => {
          await dormant.forgetAll(tx);
          await dormant.countDay(tx, clubTime.dayOf(clock.now().getTime()), []);
        });
      await countToday();
      await transact((tx) => dormant.forgetTold(tx, toldFrom(offAfter)));
      await whileAny(() => switchSomeOff(offAfter));
      await whileAny(() => tellSome(offAfter));
    },

    /** Deletes those that nobody brought back. */
    deleteOld: () => whileAny(deleteSome),

    /**
     * On again, with the same keys and address, and without an end that has come. Whether its peer returns follows from everything else: not without a subscription.
     * `isOwn`: only the actor's own.
     */
    reactivate: (actor: Actor, id: string, isOwn: boolean): Promise<Changed> =>
      transact(async (tx) => {
        const [found] = await peers.byIds(tx, [id]);
        // The owner first, as in every change of configs.
        const owner = found && (await members.lock(tx, found.member_id));
        const config = await repository.lockAny(tx, id);
        if (owner === undefined || config === undefined || config.deleted_at !== null) refuse("config.not_found");
        if (isOwn && config.member_id !== actor.memberId) refuse("config.not_found");
        if (config.dormant_since === null) return { config, jobIds: [] };
        if (config.has_ended === 1) {
          if (isOwn && config.ends_by !== null) refuse("config.end_by_staff");
          await repository.update(tx, id, { ends_at: null, ends_by: null, end_told: null });
        }
        const rows = await dormant.wake(tx, id);
        await dormant.forget(tx, [id]);
        if (!isOwn)
          await audit.record(tx, actor.memberId, "config.reactivated", {
            target: id,
            memberId: config.member_id,
            after: { name: config.name },
          });
        await events.record(tx, configsChanged, { memberIds: [config.member_id] });
        const jobIds = await enqueueApply({ jobs, interfaces }, tx, rows);
        return { config: { ...config, dormant_since: null }, jobIds };
      }),
  };
}
