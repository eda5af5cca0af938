import type { Db, Tx } from "../../../platform/database/database.ts";
import type { RoutingTables } from "./table.ts";

const tables = (db: Db | Tx) => db.withTables<RoutingTables>();

export async function revision(db: Db | Tx): Promise<number> {
  const row = await tables(db).selectFrom("routing_revision").select("revision").executeTakeFirst();
  return Number(row?.revision ?? 0);
}

export async function nextRevision(tx: Tx): Promise<void> {
  await tables(tx)
    .updateTable("routing_revision")
    .set((e) => ({ revision: e("revision", "+", 1) }))
    .execute();
}
