import type { Reason } from "@krug/domain/reasons";
import { sql } from "kysely";
import { chunks, inChunks } from "../../../platform/database/chunks.ts";
import type { Db, Tx } from "../../../platform/database/database.ts";
import type { ChoiceRow, OutboxRow, OutboxTables, WayName } from "./table.ts";

const tables = (db: Db | Tx) => db.withTables<OutboxTables>();

/** One notice on its way to one target. */
export type OutboxKey = Pick<OutboxRow, "way" | "target" | "notice_id">;

export async function insert(tx: Tx, rows: readonly Omit<OutboxRow, "failed_at" | "reason">[]): Promise<void> {
  for (const some of chunks(rows))
    await tables(tx)
      .insertInto("outbox")
      .values(some.map((row) => ({ ...row, failed_at: null, reason: null })))
      .execute();
}

/** What may be sent on this channel now, in order; nothing overtakes a retry to the same target. */
export const due = (db: Db, way: WayName, now: number, limit: number): Promise<OutboxRow[]> =>
  tables(db)
    .selectFrom("outbox")
    .selectAll()
    .where("way", "=", way)
    .where("failed_at", "is", null)
    .where("not_before", "<=", now)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("outbox as earlier")
            .select("earlier.notice_id")
            .where("earlier.way", "=", way)
            .whereRef("earlier.target", "=", "outbox.target")
            .whereRef("earlier.turn", "<", "outbox.turn")
            .where("earlier.attempts", ">", 0)
            .where("earlier.failed_at", "is", null)
            .where("earlier.not_before", ">", now),
        ),
      ),
    )
    .orderBy("turn")
    .limit(limit)
    .execute();

/** When the next one may be sent, ms; null if none waits. */
export async function nextDueAt(db: Db, way: WayName): Promise<number | null> {
  const row = await tables(db)
    .selectFrom("outbox")
    .select("not_before")
    .where("way", "=", way)
    .where("failed_at", "is", null)
    .orderBy("not_before")
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : Number(row.not_before);
}

export async function remove(tx: Tx, { way, target, notice_id }: OutboxKey): Promise<void> {
  await tables(tx)
    .deleteFrom("outbox")
    .where("way", "=", way)
    .where("target", "=", target)
    .where("notice_id", "=", notice_id)
    .execute();
}

/** It failed, and is retried at `until` at the earliest. */
export const postpone = (tx: Tx, row: OutboxRow, until: number): Promise<void> =>
  update(tx, row, { attempts: row.attempts + 1, not_before: until });

export const giveUp = (tx: Tx, row: OutboxRow, reason: Reason, now: number): Promise<void> =>
  update(tx, row, { failed_at: now, reason });

async function update(tx: Tx, { way, target, notice_id }: OutboxKey, change: Partial<OutboxRow>): Promise<void> {
  await tables(tx)
    .updateTable("outbox")
    .set(change)
    .where("way", "=", way)
    .where("target", "=", target)
    .where("notice_id", "=", notice_id)
    .execute();
}

/** Deletes what waits for these targets; what was given up stays for staff to see. */
export async function deleteWaiting(tx: Tx, way: WayName, targets: readonly string[]): Promise<void> {
  for (const some of chunks(targets))
    await tables(tx)
      .deleteFrom("outbox")
      .where("way", "=", way)
      .where("target", "in", some)
      .where("failed_at", "is", null)
      .execute();
}

export async function deleteOf(tx: Tx, memberId: string): Promise<void> {
  await tables(tx).deleteFrom("outbox").where("member_id", "=", memberId).execute();
}

export async function deleteFailedBefore(tx: Tx, at: number): Promise<void> {
  await tables(tx).deleteFrom("outbox").where("failed_at", "<", at).execute();
}

export interface WayStanding {
  waiting: number;
  failed: number;
  reason: Reason | null;
}

/** How many wait on this channel, how many were given up, and why the latest of those was. */
export async function backlog(db: Db, way: WayName): Promise<WayStanding> {
  const counts = await tables(db)
    .selectFrom("outbox")
    .select((e) => [e.fn.countAll<number>().as("all"), e.fn.count<number>("failed_at").as("failed")])
    .where("way", "=", way)
    .executeTakeFirstOrThrow();
  const latest = await tables(db)
    .selectFrom("outbox")
    .select("reason")
    .where("way", "=", way)
    .where("failed_at", "is not", null)
    .orderBy("failed_at", "desc")
    .limit(1)
    .executeTakeFirst();
  const failed = Number(counts.failed);
  return { waiting: Number(counts.all) - failed, failed, reason: latest?.reason ?? null };
}

export interface WayCount {
  way: WayName;
  waiting: number;
  failed: number;
  /** When the oldest that may be sent now or has failed before was written, ms; null if there are none. */
  oldestAt: number | null;
}

/** For each channel that has any; costs one statement. */
export async function counts(db: Db, now: number): Promise<WayCount[]> {
  const { rows } = await sql<{ way: WayName; waiting: number; failed: number; first: number | null }>`
    select way, sum(case when failed_at is null then 1 else 0 end) as waiting, count(failed_at) as failed,
      min(case when failed_at is null and (not_before <= ${now} or attempts > 0) then turn end) as first
    from outbox group by way`.execute(db);
  return rows.map(({ way, waiting, failed, first }) => ({
    way,
    waiting: Number(waiting),
    failed: Number(failed),
    // A turn is a time in thousandths of a millisecond.
    oldestAt: first === null ? null : Number(first) / 1_000,
  }));
}

export const choices = (db: Db | Tx, memberIds: readonly string[]): Promise<ChoiceRow[]> =>
  inChunks(memberIds, (ids) => tables(db).selectFrom("notice_choices").selectAll().where("member_id", "in", ids));

export async function choose(tx: Tx, row: ChoiceRow): Promise<void> {
  await tables(tx)
    .insertInto("notice_choices")
    .values(row)
    .onConflict((conflict) => conflict.columns(["member_id", "notices"]).doUpdateSet({ wanted: row.wanted }))
    .execute();
}

export async function deleteChoicesOf(tx: Tx, memberId: string): Promise<void> {
  await tables(tx).deleteFrom("notice_choices").where("member_id", "=", memberId).execute();
}
