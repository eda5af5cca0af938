import { chunks } from "../../platform/database/chunks.ts";
import type { Db, Tx } from "../../platform/database/database.ts";
import type { ChoiceRow, OutboxRow, TelegramTables } from "./table.ts";

const tables = (db: Db | Tx) => db.withTables<TelegramTables>();

export async function insert(tx: Tx, rows: readonly Omit<OutboxRow, "failed_at" | "reason">[]): Promise<void> {
  for (const some of chunks(rows))
    await tables(tx)
      .insertInto("telegram_outbox")
      .values(some.map((row) => ({ ...row, failed_at: null, reason: null })))
      .execute();
}

/** What may be sent now, in order; nothing overtakes what is to be tried again in the same chat. */
export const due = (db: Db, now: number, limit: number): Promise<OutboxRow[]> =>
  tables(db)
    .selectFrom("telegram_outbox")
    .selectAll()
    .where("failed_at", "is", null)
    .where("not_before", "<=", now)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("telegram_outbox as earlier")
            .select("earlier.notice_id")
            .whereRef("earlier.member_id", "=", "telegram_outbox.member_id")
            .whereRef("earlier.turn", "<", "telegram_outbox.turn")
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
export async function nextDueAt(db: Db): Promise<number | null> {
  const row = await tables(db)
    .selectFrom("telegram_outbox")
    .select("not_before")
    .where("failed_at", "is", null)
    .orderBy("not_before")
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : Number(row.not_before);
}

export async function remove(tx: Tx, noticeId: string): Promise<void> {
  await tables(tx).deleteFrom("telegram_outbox").where("notice_id", "=", noticeId).execute();
}

/** It failed, and is tried again at `until` at the earliest. */
export async function postpone(tx: Tx, { notice_id, attempts }: OutboxRow, until: number): Promise<void> {
  await tables(tx)
    .updateTable("telegram_outbox")
    .set({ attempts: attempts + 1, not_before: until })
    .where("notice_id", "=", notice_id)
    .execute();
}

export async function giveUp(tx: Tx, noticeId: string, reason: string, now: number): Promise<void> {
  await tables(tx)
    .updateTable("telegram_outbox")
    .set({ failed_at: now, reason })
    .where("notice_id", "=", noticeId)
    .execute();
}

export async function deleteOf(tx: Tx, memberId: string): Promise<void> {
  await tables(tx).deleteFrom("telegram_outbox").where("member_id", "=", memberId).execute();
}

export async function deleteFailedBefore(tx: Tx, at: number): Promise<void> {
  await tables(tx).deleteFrom("telegram_outbox").where("failed_at", "<", at).execute();
}

/** How many wait, how many were given up, and why the latest of those was. */
export async function standing(db: Db): Promise<{ waiting: number; failed: number; reason: string | null }> {
  const counts = await tables(db)
    .selectFrom("telegram_outbox")
    .select((e) => [e.fn.countAll<number>().as("all"), e.fn.count<number>("failed_at").as("failed")])
    .executeTakeFirstOrThrow();
  const latest = await tables(db)
    .selectFrom("telegram_outbox")
    .select("reason")
    .where("failed_at", "is not", null)
    .orderBy("failed_at", "desc")
    .limit(1)
    .executeTakeFirst();
  const failed = Number(counts.failed);
  return { waiting: Number(counts.all) - failed, failed, reason: latest?.reason ?? null };
}

export async function choices(db: Db | Tx, memberIds: readonly string[]): Promise<ChoiceRow[]> {
  const found: ChoiceRow[] = [];
  for (const ids of chunks(memberIds))
    found.push(
      ...(await tables(db).selectFrom("telegram_choices").selectAll().where("member_id", "in", ids).execute()),
    );
  return found;
}

export async function choose(tx: Tx, row: ChoiceRow): Promise<void> {
  await tables(tx)
    .insertInto("telegram_choices")
    .values(row)
    .onConflict((conflict) => conflict.columns(["member_id", "notices"]).doUpdateSet({ wanted: row.wanted }))
    .execute();
}

export async function deleteChoicesOf(tx: Tx, memberId: string): Promise<void> {
  await tables(tx).deleteFrom("telegram_choices").where("member_id", "=", memberId).execute();
}
