import { randomUUID } from "node:crypto";
import type { OwnQuotaAnswer } from "@krug/contract/vpn/traffic";
import { DAY_MS, HONEST_SKEW_MS } from "@krug/domain/moment";
import { quotaStage, quotaStageReached } from "@krug/domain/quota-rules";
import type { Db, Tx } from "../../../platform/database/database.ts";
import { jobKind } from "../../../platform/jobs.ts";
import { makeLasting } from "../../../platform/lasting.ts";
import type { Platform } from "../../../platform/platform.ts";
import { memberChanged, memberSpeedChanged, memberStandingChanged, type QuotaReached, quotaReached } from "./events.ts";
import * as repository from "./repository.ts";
import { slowedTo } from "./standing.ts";
import type { MemberRow } from "./table.ts";
import * as use from "./use.ts";

type Reached = Pick<QuotaReached, "memberId" | "stage" | "onceKey">;

const reachQuota = jobKind<Reached>("members.reach_quota");

/** The club may have changed its time zone since. */
const ZONES_APART_MS = 2 * DAY_MS;

export type Quotas = ReturnType<typeof makeQuotas>;

type Held = Pick<MemberRow, "quota_used_up_until" | "quota_slowed_until">;

/**
 * Traffic quotas by the club's month (docs/adr/0051-a-quota-is-kept-as-a-moment.md). A used-up quota is stored on the member's row as
 * the moment when the month ends, so that neither entitlement checks nor speed limits need to read traffic.
 */
export function makeQuotas(parts: Platform) {
  const { db, transact, clock, clubTime, events, jobs } = parts;
  const periodNow = () => clubTime.dayOf(clock.now().getTime()).slice(0, "YYYY-MM".length);
  /** The latest month that any time zone can be in. */
  const latestPeriod = () => clubTime.dayOf(clock.now().getTime(), 2).slice(0, "YYYY-MM".length);
  const periodEnd = () => clubTime.startOfNextMonth(clock.now().getTime());
  const usedNow = (db: Db | Tx, memberId: string) => use.periodBytes(db, memberId, periodNow());

  const record = (tx: Tx, reached: readonly ({ row: MemberRow } & Omit<Reached, "memberId">)[]) =>
    events.recordAll(
      tx,
      quotaReached,
      reached.flatMap(({ row, stage, onceKey }) =>
        row.quota_bytes === null || row.is_unlimited === 1
          ? []
          : [
              {
                memberId: row.id,
                stage,
                onceKey,
                quotaBytes: row.quota_bytes,
                atEnd: row.quota_at_end,
                slowMbit: slowedTo(row),
                endsAt: periodEnd(),
              },
            ],
      ),
    );

  const heldBy = ({ quota_bytes, quota_at_end }: MemberRow, used: number): Held => {
    const until = quota_bytes !== null && used >= quota_bytes ? periodEnd() : null;
    return {
      quota_used_up_until: quota_at_end === "cut" ? until : null,
      quota_slowed_until: quota_at_end === "slow" ? until : null,
    };
  };

  /** Updates locked members' rows by the quota used. Returns the rows. */
  const settleAll = async (tx: Tx, of: readonly { row: MemberRow; used: number }[]): Promise<MemberRow[]> => {
    const all = of.map(({ row, used }) => ({ row, held: heldBy(row, used) }));
    const those = (is: (before: Held, after: Held) => boolean) =>
      all.flatMap(({ row, held }) => (is(row, held) ? [{ memberId: row.id }] : []));
    const cut = those((before, after) => before.quota_used_up_until !== after.quota_used_up_until);
    const slowed = those((before, after) => before.quota_slowed_until !== after.quota_slowed_until);
    const changed = new Set([...cut, ...slowed].map(({ memberId }) => memberId));
    await repository.updateAll(
      tx,
      all.flatMap(({ row, held }) => (changed.has(row.id) ? [{ id: row.id, change: held }] : [])),
    );
    await events.recordAll(tx, memberStandingChanged, cut);
    await events.recordAll(tx, memberSpeedChanged, slowed);
    await events.recordAll(tx, memberChanged, slowed);
    return all.map(({ row, held }) => ({ ...row, ...held }));
  };
  const settle = async (tx: Tx, row: MemberRow, used: number): Promise<MemberRow> => {
    const [settled = row] = await settleAll(tx, [{ row, used }]);
    return settled;
  };

  // Traffic accounting locks no member's row, so this job does, and first, as everywhere else.
  jobs.handle(reachQuota, async (payloads) => {
    for (const reached of payloads)
      await transact(async (tx) => {
        const row = await repository.lock(tx, reached.memberId);
        if (row === undefined) return;
        const used = await usedNow(tx, row.id);
        const settled = await settle(tx, row, used);
        // The quota was raised or reset meanwhile.
        if (row.quota_bytes === null || quotaStage(used, row.quota_bytes) !== reached.stage) return;
        await record(tx, [{ row: settled, ...reached }]);
      });
  });

  const lasts = makeLasting(clock);
  /**
   * One reading by a clock that was ahead cuts a member off, or slows them down, until the end of that clock's month. Members held
   * until later than this month's end are judged again by this month's usage.
   */
  const settleAhead = async (): Promise<void> => {
    const ids = await repository.idsHeldBeyond(db, periodEnd() + ZONES_APART_MS);
    if (!lasts(ids.length > 0)) return;
    for (const id of ids)
      await transact(async (tx) => {
        const row = await repository.lock(tx, id);
        if (row === undefined) return;
        await use.bringPeriodBack(tx, id, periodNow(), latestPeriod());
        await settle(tx, row, await usedNow(tx, id));
      });
  };

  return {
    settleAhead,
    /** Counts what devices used just now, by member. Members whose quota it uses up are soon cut off or notified. */
    async addUse(tx: Tx, of: ReadonlyMap<string, use.Added>): Promise<void> {
      const period = periodNow();
      const now = clock.now().getTime();
      const latest = { period: latestPeriod(), handshakeAt: now + HONEST_SKEW_MS };
      await use.addUse(tx, of, period, latest);
      for (const { id, quota_bytes, period_bytes } of await use.farIntoQuota(tx, [...of.keys()], period)) {
        const stage = quotaStageReached(period_bytes - (of.get(id)?.bytes ?? 0), period_bytes, quota_bytes);
        if (stage !== null)
          await jobs.enqueue(tx, reachQuota, { payload: { memberId: id, stage, onceKey: `quota:${randomUUID()}` } });
      }
    },

    /** After staff changed locked members' quotas: cuts off, slows down, restores and notifies at once. Returns the rows. */
    async follow(tx: Tx, changed: readonly { before: MemberRow; after: MemberRow }[]): Promise<MemberRow[]> {
      if (changed.length === 0) return [];
      const ids = changed.map(({ after }) => after.id);
      const usedBy = await use.periodBytesOf(tx, ids, periodNow());
      const used = (id: string) => usedBy.get(id) ?? 0;
      const settled = await settleAll(
        tx,
        changed.map(({ after }) => ({ row: after, used: used(after.id) })),
      );
      const stageOf = ({ id, quota_bytes }: MemberRow) =>
        quota_bytes === null ? null : quotaStage(used(id), quota_bytes);
      await record(
        tx,
        changed.flatMap(({ before }, place) => {
          const row = settled[place] ?? before;
          const stage = stageOf(row);
          const isNew = stage !== null && stage !== stageOf(before) && stageOf(before) !== "used_up";
          return isNew ? [{ row, stage, onceKey: `quota:${randomUUID()}` }] : [];
        }),
      );
      return settled;
    },

    /** Resets the count, after a payment or by staff. The row is locked. Returns it, and the bytes that no longer count. */
    async restart(tx: Tx, row: MemberRow): Promise<{ row: MemberRow; used: number }> {
      const period = periodNow();
      const used = await usedNow(tx, row.id);
      if (used > 0) await use.startPeriod(tx, row.id, period);
      return { row: await settle(tx, row, 0), used };
    },

    /** Counts again what `restart` had left out, for many locked members with as many statements as for one. */
    async unrestart(tx: Tx, of: readonly { row: MemberRow; used: number }[]): Promise<void> {
      const again = of.filter(({ used }) => used > 0);
      const counted = await use.countAgain(tx, periodNow(), new Map(again.map(({ row, used }) => [row.id, used])));
      await settleAll(
        tx,
        again.map(({ row }) => ({ row, used: counted.get(row.id) ?? 0 })),
      );
    },

    /** How much of a member's quota is used; null without one. */
    async of(db: Db, row: MemberRow): Promise<OwnQuotaAnswer | null> {
      if (row.quota_bytes === null) return null;
      return {
        bytes: row.quota_bytes,
        used: await usedNow(db, row.id),
        atEnd: row.quota_at_end,
        slowMbit: slowedTo(row),
        resetsAt: clubTime.write(periodEnd()),
      };
    },
  };
}
