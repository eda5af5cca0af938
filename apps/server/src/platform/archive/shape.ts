import type { Database } from "../database/database.ts";

/** A table as stored in a backup: without what the database computes itself. */
export interface Shape {
  table: string;
  columns: { name: string; isBytes: boolean }[];
}

/** Triggers derive it from other tables, also during a restore. */
const DERIVED = "'config_counts'";

/** `migrations` records how the schema was made; each engine has its own files for that. */
const OF_SQLITE = `
  select t.name as "table", c.name as name, lower(c.type) in ('bytea', 'blob') as is_bytes
  from sqlite_master t, pragma_table_xinfo(t.name) c
  where t.type = 'table' and t.name not like 'sqlite_%' and t.name not in ('migrations', ${DERIVED}) and c.hidden = 0
  order by t.name, c.cid`;
const OF_POSTGRES = `
  select c.table_name as "table", c.column_name as name, case when c.data_type = 'bytea' then 1 else 0 end as is_bytes
  from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
  where c.table_schema = current_schema() and t.table_type = 'BASE TABLE' and c.table_name not in ('migrations', ${DERIVED})
    and c.is_generated = 'NEVER'
  order by c.table_name collate "C", c.ordinal_position`;

export const shapesQuery = (engine: Database["engine"]) => (engine === "sqlite" ? OF_SQLITE : OF_POSTGRES);

export function shapesOf(rows: Iterable<Record<string, unknown>>): Shape[] {
  const shapes = new Map<string, Shape>();
  for (const row of rows) {
    const table = String(row.table);
    const shape = shapes.get(table) ?? { table, columns: [] };
    shapes.set(table, shape);
    shape.columns.push({ name: String(row.name), isBytes: Number(row.is_bytes) === 1 });
  }
  return [...shapes.values()];
}

/** Names of tables and columns are ours, or come from a backup and were compared with ours. */
export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** Migrations have one name on both engines: '0211_free_addresses' for '0211_free_addresses.sqlite.sql'. */
export const intentOf = (file: string) => file.replace(/(\.(sqlite|postgres))?\.sql$/, "");
