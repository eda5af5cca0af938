import { sql } from "kysely";
import { type Db, isPostgres, type Tx } from "./database.ts";
import { LINE_NAME, OLDER_LINE_NAMES } from "./postgres-line.ts";

/** How many panels work on this database; SQLite has only this one, and counts none. */
async function countPanels(over: Db | Tx, names: readonly string[]): Promise<number> {
  if (!isPostgres(over)) return 0;
  const { rows } = await sql<{ panels: number }>`
    select count(*)::int as panels from pg_stat_activity
    where datname = current_database() and application_name in (${sql.join(names)})`.execute(over);
  return rows[0]?.panels ?? 0;
}

export const runningPanels = (over: Db | Tx) => countPanels(over, [LINE_NAME, ...OLDER_LINE_NAMES]);

/** Those that must not do what this version can. None can start once this version has migrated the database. */
export const olderPanels = (over: Db | Tx) => countPanels(over, OLDER_LINE_NAMES);
