import { inChunks } from "../../../platform/database/chunks.ts";
import type { Db, Tx } from "../../../platform/database/database.ts";
import type { NoteRow, NoteTables } from "./table.ts";

const tables = (db: Db | Tx) => db.withTables<NoteTables>();

/** A member's notes, the newest first. */
export const ofMember = (db: Db, memberId: string, limit: number): Promise<NoteRow[]> =>
  tables(db)
    .selectFrom("member_notes")
    .selectAll()
    .where("member_id", "=", memberId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();

export const find = (tx: Tx, memberId: string, id: string): Promise<NoteRow | undefined> =>
  tables(tx)
    .selectFrom("member_notes")
    .selectAll()
    .where("member_id", "=", memberId)
    .where("id", "=", id)
    .executeTakeFirst();

/** How many notes there are on each of these members; those without any are absent. */
export async function countsOf(db: Db | Tx, memberIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await inChunks(memberIds, (some) =>
    tables(db)
      .selectFrom("member_notes")
      .select("member_id")
      .select(({ fn }) => fn.countAll().as("notes"))
      .where("member_id", "in", some)
      .groupBy("member_id"),
  );
  return new Map(rows.map((row) => [row.member_id, Number(row.notes)]));
}

export async function insert(tx: Tx, row: NoteRow): Promise<void> {
  await tables(tx).insertInto("member_notes").values(row).execute();
}

export async function remove(tx: Tx, id: string): Promise<void> {
  await tables(tx).deleteFrom("member_notes").where("id", "=", id).execute();
}

export async function removeAllOn(tx: Tx, memberId: string): Promise<void> {
  await tables(tx).deleteFrom("member_notes").where("member_id", "=", memberId).execute();
}
