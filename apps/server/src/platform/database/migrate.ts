import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import type { Database } from "./database.ts";

type MigrationTables = {
  migrations: { name: string; applied_at: number };
};

/** Numbers a PostgreSQL advisory lock, so that two panels starting at once migrate one after the other. */
const MIGRATION_LOCK = 727_001;

/** What the engines cannot say alike is said twice, in `name.sqlite.sql` and `name.postgres.sql`. */
const isFor = (engine: Database["engine"], file: string) =>
  /\.(sqlite|postgres)\.sql$/.test(file) ? file.endsWith(`.${engine}.sql`) : file.endsWith(".sql");

/**
 * Applies what is new in the folder, in the order of the names, each file in one transaction. Answers the names applied.
 * @throws when the database has a migration that this version does not know: an older panel on a newer database
 */
export async function migrate(database: Database, folder: string, now: Date): Promise<string[]> {
  const files = readdirSync(folder)
    .filter((name) => isFor(database.engine, name))
    .sort();
  await sql`create table if not exists migrations (name text primary key, applied_at bigint not null)`.execute(
    database.db,
  );
  return database.transact(async (tx) => {
    if (database.engine === "postgres") await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(tx);
    const tables = tx.withTables<MigrationTables>();
    const applied = new Set((await tables.selectFrom("migrations").select("name").execute()).map((row) => row.name));
    const unknown = [...applied].filter((name) => !files.includes(name));
    if (unknown.length > 0)
      throw new Error(`The database is newer than this panel (${unknown.join(", ")}). Start the newer version.`);
    const fresh = files.filter((name) => !applied.has(name));
    for (const name of fresh) {
      for (const statement of statementsOf(readFileSync(join(folder, name), "utf8")))
        await sql.raw(statement).execute(tx);
      await tables.insertInto("migrations").values({ name, applied_at: now.getTime() }).execute();
    }
    return fresh;
  });
}

/** Our migrations end every statement with ';' at the end of a line. */
const statementsOf = (text: string) =>
  text
    .replace(/^\s*--.*$/gm, "")
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");
