import type { Db, Tx } from "../../platform/database/database.ts";
import type { ServerRow, ServerTables } from "./table.ts";

const tables = (db: Db | Tx) => db.withTables<ServerTables>();

/** All servers, the oldest first; a club has tens of them at the most. */
export const all = (db: Db | Tx): Promise<ServerRow[]> =>
  tables(db).selectFrom("servers").selectAll().where("deleted_at", "is", null).orderBy("created_at").execute();

export const find = (db: Db | Tx, id: string): Promise<ServerRow | undefined> =>
  tables(db).selectFrom("servers").selectAll().where("id", "=", id).where("deleted_at", "is", null).executeTakeFirst();

export async function assignedTo(db: Db | Tx, memberId: string): Promise<string[]> {
  const rows = await tables(db)
    .selectFrom("server_assignments")
    .select("server_id")
    .where("member_id", "=", memberId)
    .execute();
  return rows.map((row) => row.server_id);
}

export async function insert(tx: Tx, row: ServerRow): Promise<void> {
  await tables(tx).insertInto("servers").values(row).execute();
}

export async function update(tx: Tx, id: string, change: Partial<Omit<ServerRow, "id">>): Promise<void> {
  await tables(tx).updateTable("servers").set(change).where("id", "=", id).execute();
}
