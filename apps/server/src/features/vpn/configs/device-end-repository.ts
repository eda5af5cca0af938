import { sql } from "kysely";
import { chunks } from "../../../platform/database/chunks.ts";
import type { Db, Tx } from "../../../platform/database/database.ts";
import type { ConfigRow, ConfigTables } from "./table.ts";

const tables = (db: Db | Tx) => db.withTables<ConfigTables>();

/** Configs with an end, by which an index has them. */
const withEnd = (db: Db | Tx) =>
  tables(db)
    .selectFrom("configs")
    .select(["id", "member_id", "name", "created_at", "ends_at"])
    .where("deleted_at", "is", null)
    .where("place_of", "is", null)
    .orderBy("ends_at")
    .orderBy("id");

/** Those whose end has come, ids. */
export const due = async (db: Db | Tx, now: number, limit: number): Promise<string[]> =>
  (await withEnd(db).where("ends_at", "<=", now).where("has_ended", "=", 0).limit(limit).execute()).map(({ id }) => id);

/** Those that a clock which was ahead ended before their time. */
export const endedEarly = (db: Db | Tx, now: number, limit: number) =>
  withEnd(db).where("ends_at", ">", now).where("has_ended", "=", 1).limit(limit).execute();

/** Those that end in this time, ms, and whose owners were not told of that end. */
export const endingUntold = (db: Db | Tx, { from, to, limit }: { from: number; to: number; limit: number }) =>
  withEnd(db)
    .where("ends_at", ">", from)
    .where("ends_at", "<=", to)
    .where("has_ended", "=", 0)
    .where(sql<boolean>`(end_told is null or end_told <> ends_at)`)
    .limit(limit)
    .execute();

export async function noteTold(tx: Tx, ids: readonly string[]): Promise<void> {
  for (const some of chunks(ids))
    await tables(tx)
      .updateTable("configs")
      .set((e) => ({ end_told: e.ref("ends_at") }))
      .where("id", "in", some)
      .execute();
}

/** These devices and the places that they leave. */
async function change(
  tx: Tx,
  ids: readonly string[],
  set: (rows: ReturnType<typeof updating>) => ReturnType<typeof updating>,
) {
  const changed: ConfigRow[] = [];
  for (const some of chunks(ids))
    for (const column of ["id", "place_of"] as const)
      changed.push(...(await set(updating(tx)).where(column, "in", some).returningAll().execute()));
  return changed;
}
const updating = (tx: Tx) => tables(tx).updateTable("configs");

/** Off from now, ms; since before if they were off already. */
export const end = (tx: Tx, ids: readonly string[], now: number): Promise<ConfigRow[]> =>
  change(tx, ids, (rows) => rows.set({ has_ended: 1, dormant_since: sql<number>`coalesce(dormant_since, ${now})` }));

/** On again; their end is announced once more. */
export const takeBack = (tx: Tx, ids: readonly string[]): Promise<ConfigRow[]> =>
  change(tx, ids, (rows) => rows.set({ has_ended: 0, dormant_since: null, end_told: null }));
