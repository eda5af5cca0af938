import { sql } from "kysely";
import { chunks } from "../../../platform/database/chunks.ts";
import type { Db, Tx } from "../../../platform/database/database.ts";
import type { ReadingRow, SampleRow, ServerHistoryTables } from "./table.ts";

const tables = (over: Db | Tx) => over.withTables<ServerHistoryTables>();

/** By server id. */
export async function readings(over: Db | Tx): Promise<Map<string, ReadingRow>> {
  const rows = await tables(over).selectFrom("server_readings").selectAll().execute();
  return new Map(rows.map((row) => [row.server_id, row]));
}

export async function writeReadings(tx: Tx, rows: readonly ReadingRow[]): Promise<void> {
  for (const some of chunks(rows))
    await tables(tx)
      .insertInto("server_readings")
      .values(some)
      .onConflict((conflict) =>
        conflict.column("server_id").doUpdateSet((eb) => ({
          at: eb.ref("excluded.at"),
          cpu_idle: eb.ref("excluded.cpu_idle"),
          cpu_total: eb.ref("excluded.cpu_total"),
          network_in: eb.ref("excluded.network_in"),
          network_out: eb.ref("excluded.network_out"),
        })),
      )
      .execute();
}

const SUMS = ["readings", "cpu", "memory", "memory_total", "load", "network_in", "network_out"] as const;

export async function addToSteps(tx: Tx, rows: readonly SampleRow[]): Promise<void> {
  const sums = Object.fromEntries(
    SUMS.map((name) => [name, sql<number>`${sql.ref(`server_samples.${name}`)} + ${sql.ref(`excluded.${name}`)}`]),
  );
  for (const some of chunks(rows))
    await tables(tx)
      .insertInto("server_samples")
      .values(some)
      .onConflict((conflict) => conflict.columns(["server_id", "step", "at"]).doUpdateSet(sums))
      .execute();
}

/** In order, both ends inclusive. */
export const samplesOf = (
  over: Db | Tx,
  { serverId, step, from, to }: { serverId: string; step: number; from: number; to: number },
): Promise<SampleRow[]> =>
  tables(over)
    .selectFrom("server_samples")
    .selectAll()
    .where("server_id", "=", serverId)
    .where("step", "=", step)
    .where("at", ">=", from)
    .where("at", "<=", to)
    .orderBy("at")
    .execute();

export async function removeBefore(tx: Tx, step: number, at: number): Promise<void> {
  await tables(tx).deleteFrom("server_samples").where("step", "=", step).where("at", "<", at).execute();
}

export async function removeReadingsBefore(tx: Tx, at: number): Promise<void> {
  await tables(tx).deleteFrom("server_readings").where("at", "<", at).execute();
}
