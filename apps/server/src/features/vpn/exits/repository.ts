import { type Db, lockRows, type Tx } from "../../../platform/database/database.ts";
import type { ExitTables, LinkRow } from "./table.ts";

const tables = (db: Db | Tx) => db.withTables<ExitTables>();

/** A club has a few. */
export const all = (db: Db | Tx): Promise<LinkRow[]> =>
  tables(db).selectFrom("exit_links").selectAll().orderBy("number").execute();

export const lock = (tx: Tx, id: string): Promise<LinkRow | undefined> =>
  tables(tx).selectFrom("exit_links").selectAll().where("id", "=", id).$call(lockRows(tx)).executeTakeFirst();

export async function insert(tx: Tx, row: LinkRow): Promise<void> {
  await tables(tx).insertInto("exit_links").values(row).execute();
}

export async function update(tx: Tx, id: string, change: Partial<LinkRow>): Promise<void> {
  await tables(tx).updateTable("exit_links").set(change).where("id", "=", id).execute();
}

export async function remove(tx: Tx, id: string): Promise<void> {
  await tables(tx).deleteFrom("exit_links").where("id", "=", id).execute();
}
