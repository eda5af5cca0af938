import type { SetupStep } from "@krug/contract/vpn/server-setup";
import type { Db, Tx } from "../../../platform/database/database.ts";
import type { LineRow, RunRow, SetupTables } from "./table.ts";

const tables = (over: Db | Tx) => over.withTables<SetupTables>();

export const find = (over: Db | Tx, id: string): Promise<RunRow | undefined> =>
  tables(over).selectFrom("setup_runs").selectAll().where("id", "=", id).executeTakeFirst();

/** The latest try of each step, for the current machine, which is there since `since` (ms since 1970). */
export async function latest(over: Db | Tx, serverId: string, since: number): Promise<Map<SetupStep, RunRow>> {
  const rows = await tables(over)
    .selectFrom("setup_runs")
    .selectAll()
    .where("server_id", "=", serverId)
    .where("started_at", ">=", since)
    .orderBy("started_at")
    .orderBy("id")
    .execute();
  return new Map(rows.map((row) => [row.step, row]));
}

export const running = (over: Db | Tx): Promise<RunRow[]> =>
  tables(over).selectFrom("setup_runs").selectAll().where("state", "=", "running").execute();

export async function insert(tx: Tx, row: RunRow): Promise<void> {
  await tables(tx).insertInto("setup_runs").values(row).execute();
}

export async function update(tx: Tx, id: string, change: Partial<Omit<RunRow, "id">>): Promise<void> {
  await tables(tx).updateTable("setup_runs").set(change).where("id", "=", id).where("state", "=", "running").execute();
}

export async function addLines(tx: Tx, lines: readonly LineRow[]): Promise<void> {
  if (lines.length > 0)
    await tables(tx)
      .insertInto("setup_lines")
      .values([...lines])
      .execute();
}

/** In order, after line `after`. */
export const linesAfter = (over: Db | Tx, runId: string, after: number, limit: number): Promise<LineRow[]> =>
  tables(over)
    .selectFrom("setup_lines")
    .selectAll()
    .where("run_id", "=", runId)
    .where("number", ">", after)
    .orderBy("number")
    .limit(limit)
    .execute();

/** Deletes tries that ended before `before`, with their lines. */
export async function forget(tx: Tx, before: number): Promise<void> {
  const old = tables(tx)
    .selectFrom("setup_runs")
    .select("id")
    .where("ended_at", "<", before)
    .where("state", "=", "error");
  await tables(tx).deleteFrom("setup_lines").where("run_id", "in", old).execute();
  await tables(tx).deleteFrom("setup_runs").where("ended_at", "<", before).where("state", "=", "error").execute();
}
