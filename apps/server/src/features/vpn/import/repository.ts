import type { Db, Tx } from "../../../platform/database/database.ts";
import type { MovedRow, OldProgramTables } from "./table.ts";

const tables = (over: Db | Tx) => over.withTables<OldProgramTables>();

export const find = (over: Db | Tx, serverId: string): Promise<MovedRow | undefined> =>
  tables(over).selectFrom("old_programs").selectAll().where("server_id", "=", serverId).executeTakeFirst();

/** Those that no panel has finished; at most one for each server. */
export const unfinished = (over: Db | Tx): Promise<MovedRow[]> =>
  tables(over)
    .selectFrom("old_programs")
    .selectAll()
    .where("state", "in", ["taking", "answering", "leaving"])
    .orderBy("started_at")
    .execute();

export async function insert(tx: Tx, row: MovedRow): Promise<void> {
  await tables(tx).insertInto("old_programs").values(row).execute();
}

/** Only while it is the same attempt. */
export async function update(
  tx: Tx,
  { id }: Pick<MovedRow, "id">,
  change: Partial<Omit<MovedRow, "id">>,
): Promise<void> {
  await tables(tx).updateTable("old_programs").set(change).where("id", "=", id).execute();
}

export async function remove(tx: Tx, { id }: Pick<MovedRow, "id">): Promise<void> {
  await tables(tx).deleteFrom("old_programs").where("id", "=", id).execute();
}

/** Links of attempts that began before `before`, ms: they have expired. */
export async function forgetLinks(tx: Tx, before: number): Promise<void> {
  await tables(tx)
    .updateTable("old_programs")
    .set({ sealed_invited: null })
    .where("started_at", "<", before)
    .where("sealed_invited", "is not", null)
    .execute();
}
