import { keptUntil } from "@krug/domain/dormancy";
import { DAY_MS } from "@krug/domain/moment";
import { letOthersIn } from "../../../platform/database/chunks.ts";
import type { Tx } from "../../../platform/database/database.ts";
import { groupBy } from "../../../platform/group-by.ts";
import type { Actor } from "../../../platform/http/call.ts";
import { refuse } from "../../../platform/refusal.ts";
import * as ends from "./device-end-repository.ts";
import * as dormant from "./dormant-repository.ts";
import { configsChanged, devicesEnd, type EndStage } from "./events.ts";
import type { Changed, ConfigParts } from "./parts.ts";
import * as peers from "./peers-repository.ts";
import * as repository from "./repository.ts";
import type { ConfigRow } from "./table.ts";
import { enqueueApply } from "./wire-jobs.ts";

/** Devices of one transaction: each ends before others wait long. */
const AT_ONCE = 500;
/** How long before its end its owner is notified. */
const TOLD_BEFORE_MS = DAY_MS;

/** One notice for all of a member's devices with the same `at`, ms. */
export const tellOfEnds = (
  { events }: Pick<ConfigParts, "events">,
  tx: Tx,
  stage: EndStage,
  rows: readonly Pick<ConfigRow, "member_id" | "name" | "created_at">[],
  at: (row: Pick<ConfigRow, "member_id" | "name" | "created_at"> & Partial<ConfigRow>) => number,
) => {
  const inOrder = rows.toSorted((a, b) => a.created_at - b.created_at);
  const told = [...groupBy(inOrder, (row) => `${row.member_id} ${at(row)}`).values()].flatMap((own) => {
    const [first] = own;
    return first === undefined
      ? []
      : [{ memberId: first.member_id, names: own.map(({ name }) => name), stage, at: at(first) }];
  });
  return events.record(tx, devicesEnd, told);
};

/**
 * Devices that work until a day (ADR 199). At the end they are off as unseen ones are, with their keys and addresses, and an end
 * to come or none brings them back.
 */
export function makeDeviceEnd(parts: ConfigParts) {
  const { transact, clock, clubTime, events, jobs, interfaces, members, audit } = parts;
  const bring = (tx: Tx, rows: readonly ConfigRow[]) => enqueueApply({ jobs, interfaces }, tx, rows);

  /** In the transaction of another change of this locked config. `written`: as sent; null: no end. Returns what is to be applied. */
  const setEnd = async (tx: Tx, config: ConfigRow, written: string | null, by: string | null) => {
    if (by === null && config.ends_by !== null) refuse("config.end_by_staff", { field: "until" });
    const now = clock.now().getTime();
    const day = written === null ? null : clubTime.dayOf(clubTime.readWritten(written));
    if (day !== null && day < clubTime.dayOf(now)) refuse("config.end_in_past", { field: "until" });
    const ends_at = day === null ? null : clubTime.readWritten(day);
    // Its owner knows what they have just set.
    const isSoon = by === null && ends_at !== null && ends_at <= now + TOLD_BEFORE_MS;
    const columns = { ends_at, ends_by: ends_at === null ? null : by, end_told: isSoon ? ends_at : null };
    await repository.update(tx, config.id, columns);
    if (config.has_ended === 0) return { columns, woken: [] };
    const woken = await dormant.wake(tx, config.id);
    await dormant.forget(tx, [config.id]);
    return { columns: { ...columns, has_ended: 0, dormant_since: null }, woken };
  };

  const someBack = () =>
    transact(async (tx) => {
      const rows = await ends.endedEarly(tx, clock.now().getTime(), AT_ONCE);
      if (rows.length === 0) return false;
      const ids = rows.map(({ id }) => id);
      await bring(tx, await ends.takeBack(tx, ids));
      await dormant.forget(tx, ids);
      await events.record(tx, configsChanged, { memberIds: [...new Set(rows.map((row) => row.member_id))] });
      return true;
    });

  const endSome = () =>
    transact(async (tx) => {
      const now = clock.now().getTime();
      const isDue = (row: ConfigRow) =>
        row.deleted_at === null && row.has_ended === 0 && (row.ends_at ?? now + 1) <= now;
      const rows = (await repository.lockMany(tx, await ends.due(tx, now, AT_ONCE))).filter(isDue);
      if (rows.length === 0) return false;
      const isOn = rows.filter((row) => row.dormant_since === null).map(({ id }) => id);
      const off = await ends.end(
        tx,
        rows.map(({ id }) => id),
        now,
      );
      await dormant.countOff(tx, isOn, clubTime.dayOf(now));
      await events.record(tx, configsChanged, { memberIds: [...new Set(rows.map((row) => row.member_id))] });
      await tellOfEnds(parts, tx, "ended", rows, ({ dormant_since: since }) => keptUntil(since ?? now));
      await bring(tx, off);
      return true;
    });

  const tellSome = () =>
    transact(async (tx) => {
      const now = clock.now().getTime();
      const rows = await ends.endingUntold(tx, { from: now, to: now + TOLD_BEFORE_MS, limit: AT_ONCE });
      if (rows.length === 0) return false;
      await ends.noteTold(
        tx,
        rows.map(({ id }) => id),
      );
      await tellOfEnds(parts, tx, "soon", rows, ({ ends_at: at }) => at ?? now);
      return true;
    });

  const whileAny = async (some: () => Promise<boolean>) => {
    while (await some()) await letOthersIn();
  };

  return {
    setEnd,

    /** By staff; `until` as sent. The same end again changes nothing. */
    setByStaff: (actor: Actor, id: string, until: string | null): Promise<Changed> =>
      transact(async (tx) => {
        const [found] = await peers.byIds(tx, [id]);
        // The owner first, as in every change of configs.
        const owner = found && (await members.lock(tx, found.member_id));
        const config = await repository.lockAny(tx, id);
        if (owner === undefined || config === undefined || config.deleted_at !== null) refuse("config.not_found");
        const { columns, woken } = await setEnd(tx, config, until, actor.memberId);
        if (columns.ends_at !== config.ends_at)
          await audit.record(tx, actor.memberId, "config.end_changed", {
            target: id,
            memberId: config.member_id,
            before: { name: config.name, endsAt: config.ends_at === null ? null : clubTime.write(config.ends_at) },
            after: { name: config.name, endsAt: columns.ends_at === null ? null : clubTime.write(columns.ends_at) },
          });
        await events.record(tx, configsChanged, { memberIds: [config.member_id] });
        return { config: { ...config, ...columns }, jobIds: await bring(tx, woken) };
      }),

    /** Switches off what has ended, and on again what a clock that was ahead ended early; tells owners a day before. */
    async watch(): Promise<void> {
      await whileAny(someBack);
      await whileAny(endSome);
      await whileAny(tellSome);
    },
  };
}
