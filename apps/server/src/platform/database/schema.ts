import { sql } from "kysely";
import type { Database, Tx } from "./database.ts";
import { openScratch } from "./sqlite.ts";

const SCRATCH = "krug_scratch";
const INSUFFICIENT_PRIVILEGE = "42501";

const OF_SQLITE = `
  select t.name || '.' || c.name || ' ' || c.type || ' ' || c."notnull" || ' ' || c.pk || ' ' || coalesce(c.dflt_value, '') as line
    from sqlite_master t, pragma_table_info(t.name) c where t.type = 'table' and t.name not like 'sqlite_%'
  union all select t.name || ' references ' || f."table" || ' ' || f."from" || ' ' || f.on_delete
    from sqlite_master t, pragma_foreign_key_list(t.name) f where t.type = 'table'
  union all select tbl_name || ' ' || sql from sqlite_master where type in ('index', 'trigger') and sql is not null`;
const OF_POSTGRES = `
  select table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || ' ' || coalesce(column_default, '') as line
    from information_schema.columns where table_schema = current_schema()
  union all select tablename || ' ' || replace(indexdef, current_schema() || '.', '')
    from pg_indexes where schemaname = current_schema()
  union all select r.relname || ' ' || replace(pg_get_constraintdef(c.oid), current_schema() || '.', '')
    from pg_constraint c join pg_class r on r.oid = c.conrelid where c.connamespace = current_schema()::regnamespace
  union all select r.relname || ' ' || replace(pg_get_triggerdef(t.oid), current_schema() || '.', '')
    from pg_trigger t join pg_class r on r.oid = t.tgrelid
    where not t.tgisinternal and r.relnamespace = current_schema()::regnamespace`;

interface Line {
  line: string | null;
}
const sorted = (rows: readonly Line[]) => rows.map(({ line }) => (line ?? "").replace(/\s+/g, " ")).sort();

/** Columns, indexes, constraints and triggers of the current schema, one sorted line each, starting with the table's name. */
export async function describeSchema(tx: Tx, engine: Database["engine"]): Promise<string[]> {
  return sorted((await sql.raw<Line>(engine === "sqlite" ? OF_SQLITE : OF_POSTGRES).execute(tx)).rows);
}

/** The schema these statements make in an empty database, which is removed afterwards; null if the user may not create one. */
export async function schemaOf(
  tx: Tx,
  engine: Database["engine"],
  statements: readonly string[],
): Promise<string[] | null> {
  if (engine === "sqlite") return inMemory(statements);
  await sql`savepoint before_scratch`.execute(tx);
  try {
    await sql.raw(`create schema ${SCRATCH}`).execute(tx);
    await sql.raw(`set local search_path to ${SCRATCH}`).execute(tx);
    for (const statement of statements) await sql.raw(statement).execute(tx);
    return await describeSchema(tx, engine);
  } catch (error) {
    if ((error as { code?: string }).code === INSUFFICIENT_PRIVILEGE) return null;
    throw error;
  } finally {
    await sql`rollback to savepoint before_scratch`.execute(tx);
  }
}

async function inMemory(statements: readonly string[]): Promise<string[]> {
  const scratch = await openScratch();
  try {
    for (const statement of statements) scratch.exec(statement);
    return sorted(scratch.prepare(OF_SQLITE).all() as Line[]);
  } finally {
    scratch.close();
  }
}
