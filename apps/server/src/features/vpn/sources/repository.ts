import { randomUUID } from "node:crypto";
import { type Db, lockRows, type Tx } from "../../../platform/database/database.ts";
import type { SourceRow, SourceTables, VersionRow } from "./table.ts";

const tables = (db: Db | Tx) => db.withTables<SourceTables>();
const sources = (db: Db | Tx) => tables(db).selectFrom("list_sources").selectAll("list_sources");

export const byKeys = async (db: Db | Tx, keys: readonly string[]): Promise<SourceRow[]> =>
  keys.length === 0
    ? []
    : sources(db)
        .where("source", "in", [...keys])
        .execute();

export const lock = (tx: Tx, id: string): Promise<SourceRow | undefined> =>
  sources(tx).where("id", "=", id).$call(lockRows(tx)).executeTakeFirst();

export const ofService = (db: Db | Tx, serviceId: string): Promise<SourceRow[]> =>
  sources(db)
    .innerJoin("source_uses", "source_id", "list_sources.id")
    .where("service_id", "=", serviceId)
    .orderBy("source")
    .execute();

/** Those in use, the longest due first. */
export const due = (db: Db, now: number, limit: number): Promise<SourceRow[]> =>
  sources(db)
    .where("due_at", "<=", now)
    .where("id", "in", (e) => e.selectFrom("source_uses").select("source_id"))
    .orderBy("due_at")
    .limit(limit)
    .execute();

export const servicesWith = async (db: Db | Tx, sourceId: string): Promise<string[]> => {
  const uses = tables(db).selectFrom("source_uses").select("service_id").where("source_id", "=", sourceId);
  return (await uses.orderBy("service_id").execute()).map(({ service_id }) => service_id);
};

/** The names among the sources of each service. */
export const domainUses = (db: Db | Tx): Promise<{ service_id: string; source: string }[]> =>
  tables(db)
    .selectFrom("source_uses")
    .innerJoin("list_sources", "list_sources.id", "source_id")
    .where("source", "like", "domain:%")
    .select(["service_id", "source"])
    .orderBy("source")
    .execute();

/** With its first version; nothing if another panel was first. */
export async function insert(tx: Tx, row: SourceRow): Promise<void> {
  const [added] = await tables(tx)
    .insertInto("list_sources")
    .values(row)
    .onConflict((conflict) => conflict.column("source").doNothing())
    .returning("id")
    .execute();
  if (added) await addVersion(tx, { sourceId: row.id, networks: row.networks, at: row.created_at }, 1);
}

export async function update(tx: Tx, id: string, change: Partial<SourceRow>): Promise<void> {
  await tables(tx).updateTable("list_sources").set(change).where("id", "=", id).execute();
}

export async function setUses(tx: Tx, serviceId: string, sourceIds: readonly string[]): Promise<void> {
  await tables(tx).deleteFrom("source_uses").where("service_id", "=", serviceId).execute();
  if (sourceIds.length > 0)
    await tables(tx)
      .insertInto("source_uses")
      .values(sourceIds.map((source_id) => ({ service_id: serviceId, source_id })))
      .execute();
}

/** Those that no service has any more. */
export async function forgetUnused(tx: Tx, before: number): Promise<void> {
  await tables(tx)
    .deleteFrom("list_sources")
    .where("created_at", "<", before)
    .where("id", "not in", (e) => e.selectFrom("source_uses").select("source_id"))
    .execute();
}

const newestFirst = (over: Db | Tx, sourceId: string) =>
  tables(over).selectFrom("source_versions").where("source_id", "=", sourceId).orderBy("made_at", "desc").orderBy("id");

export const versions = (over: Db | Tx, sourceId: string): Promise<VersionRow[]> =>
  newestFirst(over, sourceId).selectAll().execute();

/** Adds one and keeps the newest `most`. */
export async function addVersion(
  tx: Tx,
  { sourceId, networks, at }: { sourceId: string; networks: string; at: number },
  most: number,
): Promise<void> {
  const row = { id: randomUUID(), source_id: sourceId, networks, made_at: at };
  await tables(tx).insertInto("source_versions").values(row).execute();
  const past = (await newestFirst(tx, sourceId).select("id").execute()).slice(most).map(({ id }) => id);
  if (past.length > 0) await tables(tx).deleteFrom("source_versions").where("id", "in", past).execute();
}
