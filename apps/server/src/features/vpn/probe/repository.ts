import type { Db, Tx } from "../../../platform/database/database.ts";
import type { ProbeRow, ProbeTables } from "./table.ts";

const tables = (over: Db | Tx) => over.withTables<ProbeTables>();

/** By interface id; a club has tens of interfaces at most. */
export async function all(over: Db | Tx): Promise<Map<string, ProbeRow>> {
  const rows = await tables(over).selectFrom("probes").selectAll().execute();
  return new Map(rows.map((row) => [row.interface_id, row]));
}

export async function write(tx: Tx, rows: readonly ProbeRow[]): Promise<void> {
  for (const { interface_id, ...row } of rows)
    await tables(tx)
      .insertInto("probes")
      .values({ interface_id, ...row })
      .onConflict((conflict) => conflict.column("interface_id").doUpdateSet(row))
      .execute();
}

export async function removeBefore(tx: Tx, checkedAt: number): Promise<void> {
  await tables(tx).deleteFrom("probes").where("checked_at", "<", checkedAt).execute();
}
