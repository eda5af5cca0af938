import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { failure } from "../failure.ts";
import type { Database, Tx } from "./database.ts";
import { runningPanels } from "./running-panels.ts";
import { describeSchema, schemaOf } from "./schema.ts";

type MigrationTables = {
  /** `hash`: of the file as applied; null if applied before hashes were stored. */
  migrations: { name: string; applied_at: number; hash: string | null };
};

/** Numbers a PostgreSQL advisory lock, so two panels that start at once migrate one after the other. */
const MIGRATION_LOCK = 727_001;

interface Migration {
  name: string;
  statements(): string[];
  hash: string;
  /** Panels of an older version cannot work with its result (`scripts/landed-migrations.mjs` makes sure it says so). */
  stopsOlder: boolean;
}

/** Files differ by engine if the SQL does: `name.sqlite.sql` and `name.postgres.sql`. */
const isFor = (engine: Database["engine"], file: string) =>
  /\.(sqlite|postgres)\.sql$/.test(file) ? file.endsWith(`.${engine}.sql`) : file.endsWith(".sql");

/** Whether a panel has ever used it. */
export async function isMigrated({ engine, db }: Database): Promise<boolean> {
  const found =
    engine === "postgres"
      ? sql`select 1 where to_regclass('migrations') is not null`
      : sql`select 1 from sqlite_master where name = 'migrations'`;
  return (await found.execute(db)).rows.length > 0;
}

const migrationsIn = (folder: string, engine: Database["engine"]): Migration[] =>
  readdirSync(folder)
    .filter((name) => isFor(engine, name))
    .sort()
    .map((name) => {
      const text = readFileSync(join(folder, name), "utf8");
      return {
        name,
        statements: () => statementsOf(text),
        hash: createHash("sha256").update(text).digest("hex"),
        stopsOlder: /^-- stops older panels: /m.test(text),
      };
    });

/**
 * Applies new files from the folder, in name order, one transaction each. A file that lands after a higher number still
 * counts as new. Returns the names applied.
 * @throws if the database does not match the files (it is from a newer version, or from before upgrades began), or if panels that
 *   run on it could not live with a file
 */
export const migrate = (database: Database, folder: string, now: Date): Promise<string[]> =>
  database.transact((tx) => migrateInside(tx, database.engine, folder, { now }));

/** The same in the caller's transaction, perhaps for some of the files only. */
export async function migrateInside(
  tx: Tx,
  engine: Database["engine"],
  folder: string,
  { now, wants = () => true }: { now: Date; wants?: (file: string) => boolean },
): Promise<string[]> {
  const known = migrationsIn(folder, engine);
  if (engine === "postgres") await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(tx);
  const migrations = await tableOfMigrations(tx, engine);
  const applied = await migrations.selectFrom("migrations").select(["name", "hash"]).execute();
  await refuseForeign(engine, tx, known, applied);
  for (const { name, hash } of known.filter((file) => applied.some((row) => row.name === file.name && !row.hash)))
    await migrations.updateTable("migrations").set({ hash }).where("name", "=", name).execute();
  const fresh = known.filter((file) => !applied.some((row) => row.name === file.name) && wants(file.name));
  const narrowing = fresh.filter(({ stopsOlder }) => stopsOlder).map(({ name }) => name);
  if (narrowing.length > 0) await refuseBesidePanels(tx, narrowing);
  for (const { name, statements, hash } of fresh) {
    for (const statement of statements()) await sql.raw(statement).execute(tx);
    await migrations.insertInto("migrations").values({ name, applied_at: now.getTime(), hash }).execute();
  }
  return fresh.map(({ name }) => name);
}

/** The database's migrations compared with this program's files, read-only. `changed`: applied with different text. */
export interface MigrationsSeen {
  applied: { name: string; at: number }[];
  missing: string[];
  unknown: string[];
  changed: string[];
}

export async function seeMigrations({ engine, db }: Database, folder: string): Promise<MigrationsSeen> {
  const known = new Map(migrationsIn(folder, engine).map(({ name, hash }) => [name, hash]));
  const rows = await db
    .withTables<MigrationTables>()
    .selectFrom("migrations")
    .select(["name", "applied_at", "hash"])
    .orderBy("name")
    .execute();
  const names = new Set(rows.map(({ name }) => name));
  return {
    applied: rows.map(({ name, applied_at }) => ({ name, at: applied_at })),
    missing: [...known.keys()].filter((name) => !names.has(name)),
    unknown: [...names].filter((name) => !known.has(name)),
    changed: rows
      .filter(({ name, hash }) => hash !== null && known.has(name) && known.get(name) !== hash)
      .map(({ name }) => name),
  };
}

/** Names of the files that make a database of this engine. */
export const migrationNames = (folder: string, engine: Database["engine"]) =>
  readdirSync(folder).filter((name) => isFor(engine, name));

async function tableOfMigrations(tx: Tx, engine: Database["engine"]) {
  await sql`create table if not exists migrations (name text primary key, applied_at bigint not null, hash text)`.execute(
    tx,
  );
  // Computed separately: a description of the whole schema would take most of the start.
  const hash =
    engine === "postgres"
      ? sql`select 1 from pg_attribute where attrelid = to_regclass('migrations') and attname = 'hash'`
      : sql`select 1 from pragma_table_info('migrations') where name = 'hash'`;
  if ((await hash.execute(tx)).rows.length === 0) await sql`alter table migrations add column hash text`.execute(tx);
  return tx.withTables<MigrationTables>();
}

async function refuseForeign(
  engine: Database["engine"],
  tx: Tx,
  known: readonly Migration[],
  applied: readonly { name: string; hash: string | null }[],
): Promise<void> {
  const unknown = applied.filter(({ name }) => !known.some((file) => file.name === name));
  const newer = unknown.filter(({ hash }) => hash !== null).map(({ name }) => name);
  if (newer.length > 0) throw failure("database.newer", { files: newer.join(", ") });
  const isAsItWas = applied.every(
    ({ name, hash }) => hash === null || known.some((file) => file.name === name && file.hash === hash),
  );
  if (unknown.length > 0 || !isAsItWas || !(await isAsFilesMakeIt(engine, tx, known, applied)))
    throw new Error(
      "This database was made by a version from before upgrades began and cannot be brought up to date: continue with the version that made it, or start over with an empty DATA_DIR or database.",
    );
}

/** Each running panel keeps one connection to PostgreSQL (postgres-line.ts); SQLite has only this panel. */
async function refuseBesidePanels(tx: Tx, files: readonly string[]): Promise<void> {
  const panels = await runningPanels(tx);
  if (panels > 0)
    throw new Error(
      `This version changes what running panels use (${files.join(", ")}), and ${panels} of this database ${panels === 1 ? "is" : "are"} running. Stop ${panels === 1 ? "it" : "them"} first: nothing has been changed.`,
    );
}

/** Without hashes, the schema itself shows whether these files made it. */
async function isAsFilesMakeIt(
  engine: Database["engine"],
  tx: Tx,
  known: readonly Migration[],
  applied: readonly { name: string; hash: string | null }[],
): Promise<boolean> {
  if (applied.every(({ hash }) => hash !== null)) return true;
  const files = known.filter(({ name }) => applied.some((row) => row.name === name));
  const wanted = await schemaOf(
    tx,
    engine,
    files.flatMap(({ statements }) => statements()),
  );
  if (wanted === null) return true;
  const found = (await describeSchema(tx, engine)).filter((line) => !/^migrations\b/.test(line));
  return found.join("\n") === wanted.join("\n");
}

/** Our migrations end every statement with ';' at the end of a line. */
const statementsOf = (text: string) =>
  text
    .replace(/^[ \t]*--.*$/gm, "")
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");
