import { sql } from "kysely";
import { chunks } from "../../../platform/database/chunks.ts";
import type { Db, Tx } from "../../../platform/database/database.ts";
import type { CliffRow, ReachSampleRow, ReachTables } from "./table.ts";

const tables = (over: Db | Tx) => over.withTables<ReachTables>();

const SUMS = ["looks", "expected", "online"] as const;

export async function addToSteps(tx: Tx, rows: readonly ReachSampleRow[]): Promise<void> {
  const sums = Object.fromEntries(
    SUMS.map((name) => [name, sql<number>`${sql.ref(`reach_samples.${name}`)} + ${sql.ref(`excluded.${name}`)}`]),
  );
  for (const some of chunks(rows))
    await tables(tx)
      .insertInto("reach_samples")
      .values(some)
      .onConflict((conflict) => conflict.columns(["interface_id", "step", "at"]).doUpdateSet(sums))
      .execute();
}

interface Span {
  step: number;
  from: number;
  to: number;
}

/** For all interfaces or one, in order, both ends inclusive. */
export const samples = (over: Db | Tx, { step, from, to }: Span, interfaceId?: string): Promise<ReachSampleRow[]> =>
  tables(over)
    .selectFrom("reach_samples")
    .selectAll()
    .where("step", "=", step)
    .where("at", ">=", from)
    .where("at", "<=", to)
    .$if(interfaceId !== undefined, (query) => query.where("interface_id", "=", interfaceId ?? ""))
    .orderBy("at")
    .execute();

export async function removeBefore(tx: Tx, step: number, at: number): Promise<void> {
  await tables(tx).deleteFrom("reach_samples").where("step", "=", step).where("at", "<", at).execute();
}

/** By interface id. */
export async function cliffs(over: Db | Tx): Promise<Map<string, CliffRow>> {
  const rows = await tables(over).selectFrom("reach_cliffs").selectAll().execute();
  return new Map(rows.map((row) => [row.interface_id, row]));
}

/** Whether this one is new: then somebody must be notified. */
export async function note(tx: Tx, row: CliffRow): Promise<boolean> {
  const written = await tables(tx)
    .insertInto("reach_cliffs")
    .values(row)
    .onConflict((conflict) => conflict.column("interface_id").doNothing())
    .returning("interface_id")
    .executeTakeFirst();
  return written !== undefined;
}

/** Whether there was one until now. */
export async function end(tx: Tx, interfaceId: string): Promise<boolean> {
  const ended = await tables(tx)
    .deleteFrom("reach_cliffs")
    .where("interface_id", "=", interfaceId)
    .returning("interface_id")
    .executeTakeFirst();
  return ended !== undefined;
}
