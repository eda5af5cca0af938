import { QUOTA_WARNED_AT } from "@krug/domain/quota-rules";
import { sql } from "kysely";
import { chunks, inChunks } from "../../../platform/database/chunks.ts";
import { type Db, lockRows, type Tx } from "../../../platform/database/database.ts";
import type { MemberTables, UseRow } from "./table.ts";

const tables = (db: Db | Tx) => db.withTables<MemberTables>();

export type Use = Pick<UseRow, "last_handshake_at" | "month_bytes" | "recent_bytes">;

/** Fresh usage counts in every period. */
export type Added = { bytes: number; last_handshake_at: number };

export async function insertUse(tx: Tx, memberIds: readonly string[]): Promise<void> {
  for (const some of chunks(memberIds))
    await tables(tx)
      .insertInto("member_use")
      .values(
        some.map((memberId) => ({
          member_id: memberId,
          last_handshake_at: 0,
          month_bytes: 0,
          month_as_of: "",
          recent_bytes: 0,
          life_bytes: 0,
          period: "",
          period_bytes: 0,
        })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}

/**
 * Adds fresh usage by member: the bytes, and the handshake if it is later than the stored one. `period`: the club's current month
 * (YYYY-MM); a new month starts from zero. Stored values later than `latest` come from a wrong clock and are replaced.
 */
export async function addUse(
  tx: Tx,
  of: ReadonlyMap<string, Added>,
  period: string,
  latest: { period: string; handshakeAt: number },
): Promise<void> {
  const rows = [...of].map(([member_id, { bytes, last_handshake_at }]) => ({
    member_id,
    last_handshake_at,
    month_bytes: bytes,
    month_as_of: "",
    recent_bytes: bytes,
    life_bytes: bytes,
    period,
    period_bytes: bytes,
  }));
  // In one order, so that two panels counting at once cannot deadlock.
  for (const some of chunks(rows.toSorted((a, b) => (a.member_id < b.member_id ? -1 : 1))))
    await tables(tx)
      .insertInto("member_use")
      .values(some)
      .onConflict((conflict) =>
        conflict.column("member_id").doUpdateSet({
          month_bytes: sql`member_use.month_bytes + excluded.month_bytes`,
          recent_bytes: sql`member_use.recent_bytes + excluded.recent_bytes`,
          life_bytes: sql`member_use.life_bytes + excluded.life_bytes`,
          period_bytes: sql`excluded.period_bytes +
            case when excluded.period > member_use.period then 0 else member_use.period_bytes end`,
          period: sql`case when excluded.period > member_use.period or member_use.period > ${latest.period}
            then excluded.period else member_use.period end`,
          last_handshake_at: sql`case when excluded.last_handshake_at > member_use.last_handshake_at
              or (excluded.last_handshake_at > 0 and member_use.last_handshake_at > ${latest.handshakeAt})
            then excluded.last_handshake_at else member_use.last_handshake_at end`,
        }),
      )
      .execute();
}

/** Locks members whose 30 days do not end on this day yet. Traffic counted meanwhile waits and is added afterwards. */
export async function lockUseBefore(tx: Tx, day: string, limit: number): Promise<string[]> {
  const query = tables(tx)
    .selectFrom("member_use")
    .select("member_id")
    // Also a later day: the club may have moved to a time zone where it is still yesterday.
    .where((e) => e.or([e("month_as_of", "<", day), e("month_as_of", ">", day)]))
    .orderBy("member_id")
    .limit(limit)
    .$call(lockRows(tx));
  return (await query.execute()).map((row) => row.member_id);
}

export async function writeUse(tx: Tx, day: string, of: ReadonlyMap<string, Use>): Promise<void> {
  const rows = [...of].map(([member_id, use]) => ({
    member_id,
    ...use,
    month_as_of: day,
    life_bytes: 0,
    period: "",
    period_bytes: 0,
  }));
  for (const some of chunks(rows))
    await tables(tx)
      .insertInto("member_use")
      .values(some)
      .onConflict((conflict) =>
        conflict.column("member_id").doUpdateSet((e) => ({
          month_bytes: e.ref("excluded.month_bytes"),
          recent_bytes: e.ref("excluded.recent_bytes"),
          last_handshake_at: e.ref("excluded.last_handshake_at"),
          month_as_of: e.ref("excluded.month_as_of"),
        })),
      )
      .execute();
}

/** Calendar days of the club, including today. Two always cover the last 24 hours. */
export const RECENT_DAYS = 2;
export const MONTH_DAYS = 30;

/** The period of usage: the recent days, a month, or the whole time. */
export type Reach = "recent" | "month" | "life";

export interface MostUsing {
  id: string;
  /** Bytes; no part of the period has more of their usage. */
  atMost: number;
}

/** Members by the upper bound of their usage within a period, the most first; those who used nothing are absent. */
export async function mostUsing(
  db: Db,
  reach: Reach,
  { after, withVip, limit }: { after: MostUsing | undefined; withVip: boolean; limit: number },
): Promise<MostUsing[]> {
  const bytes = sql.ref<number>(`${reach}_bytes`);
  // `cross join` makes SQLite follow this index in order; few rows are left out.
  const { rows } = await sql<{ id: string; at_most: number }>`
    select member_use.member_id as id, ${bytes} as at_most from member_use cross join members
    where members.id = member_use.member_id and members.deleted_at is null and ${bytes} > 0
      ${withVip ? sql`` : sql`and members.is_vip = 0`}
      ${after === undefined ? sql`` : sql`and (${bytes}, member_use.member_id) < (${after.atMost}, ${after.id})`}
    order by ${bytes} desc, member_use.member_id desc limit ${limit}`.execute(db);
  return rows.map(({ id, at_most }) => ({ id, atMost: Number(at_most) }));
}

export async function useOf(db: Db | Tx, memberId: string): Promise<Use> {
  const row = await tables(db)
    .selectFrom("member_use")
    .select(["last_handshake_at", "month_bytes", "recent_bytes"])
    .where("member_id", "=", memberId)
    .executeTakeFirst();
  return row ?? { last_handshake_at: 0, month_bytes: 0, recent_bytes: 0 };
}

/** Which of these members used enough of their quota this month to be notified; with the bytes used. */
export async function farIntoQuota(
  tx: Tx,
  memberIds: readonly string[],
  period: string,
): Promise<{ id: string; quota_bytes: number; period_bytes: number }[]> {
  const found: { id: string; quota_bytes: number; period_bytes: number }[] = [];
  for (const ids of chunks(memberIds))
    found.push(
      ...(await tables(tx)
        .selectFrom("member_use")
        .innerJoin("members", "members.id", "member_use.member_id")
        .select(["members.id", "members.quota_bytes", "member_use.period_bytes"])
        .$narrowType<{ quota_bytes: number }>()
        .where("member_use.member_id", "in", ids)
        .where("members.deleted_at", "is", null)
        .where("members.quota_bytes", "is not", null)
        .where("member_use.period", ">=", period)
        .where(sql<boolean>`member_use.period_bytes >= members.quota_bytes * ${sql.lit(QUOTA_WARNED_AT)}`)
        .execute()),
    );
  return found;
}

/** Bytes of a month (YYYY-MM) that count towards the quota. */
export async function periodBytes(db: Db | Tx, memberId: string, period: string): Promise<number> {
  const row = await tables(db)
    .selectFrom("member_use")
    .select("period_bytes")
    .where("member_id", "=", memberId)
    // Also a later month: the club may have moved to a time zone where it is still the previous one.
    .where("period", ">=", period)
    .executeTakeFirst();
  return row?.period_bytes ?? 0;
}

/** The same of these members; absent: nothing. */
export async function periodBytesOf(
  tx: Tx,
  memberIds: readonly string[],
  period: string,
): Promise<Map<string, number>> {
  const rows = await inChunks(memberIds, (some) =>
    tables(tx)
      .selectFrom("member_use")
      .select(["member_id", "period_bytes"])
      .where("member_id", "in", some)
      .where("period", ">=", period),
  );
  return new Map(rows.map((row) => [row.member_id, row.period_bytes]));
}

/** Adds bytes by member to what counts in a month. Returns what counts now. */
export async function countAgain(
  tx: Tx,
  period: string,
  of: ReadonlyMap<string, number>,
): Promise<Map<string, number>> {
  const none = { last_handshake_at: 0, month_bytes: 0, month_as_of: "", recent_bytes: 0, life_bytes: 0 };
  const rows = [...of].map(([member_id, period_bytes]) => ({ ...none, member_id, period, period_bytes }));
  const found = await inChunks(
    rows.toSorted((a, b) => (a.member_id < b.member_id ? -1 : 1)),
    (some) =>
      tables(tx)
        .insertInto("member_use")
        .values(some)
        .onConflict((conflict) =>
          conflict.column("member_id").doUpdateSet({
            period_bytes: sql`excluded.period_bytes +
            case when member_use.period < excluded.period then 0 else member_use.period_bytes end`,
            period: sql`excluded.period`,
          }),
        )
        .returning(["member_id", "period_bytes"]),
  );
  return new Map(found.map((row) => [row.member_id, row.period_bytes]));
}

/** Usage stored for a month later than `latest` is moved to this month. */
export async function bringPeriodBack(tx: Tx, memberId: string, period: string, latest: string): Promise<void> {
  await tables(tx)
    .updateTable("member_use")
    .set({ period })
    .where("member_id", "=", memberId)
    .where("period", ">", latest)
    .execute();
}

/** Restarts the count of a month (YYYY-MM) from zero. */
export async function startPeriod(tx: Tx, memberId: string, period: string): Promise<void> {
  await tables(tx)
    .updateTable("member_use")
    .set({ period, period_bytes: 0 })
    .where("member_id", "=", memberId)
    .execute();
}
