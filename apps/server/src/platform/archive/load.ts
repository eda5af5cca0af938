import { type RawBuilder, sql } from "kysely";
import { letOthersIn } from "../database/chunks.ts";
import type { Database, Tx } from "../database/database.ts";
import { migrateInside, migrationNames } from "../database/migrate.ts";
import type { Value } from "./format.ts";
import { type Archive, damaged, newer } from "./read.ts";
import { intentOf, quoted, type Shape, shapesOf, shapesQuery } from "./shape.ts";

interface Into {
  engine: Database["engine"];
  /** Of the migrations. */
  folder: string;
  /** Of the backup, for messages. */
  path: string;
}

/** Values that both engines accept in one statement. */
const MOST_VALUES = 6_000;

/** Whether it contains anything, from a club or another program. */
export async function isEmptyDatabase(tx: Tx, engine: Database["engine"]): Promise<boolean> {
  const found =
    engine === "postgres"
      ? sql`select 1 from information_schema.tables where table_schema = current_schema() limit 1`
      : sql`select 1 from sqlite_master limit 1`;
  return (await found.execute(tx)).rows.length === 0;
}

/**
 * Loads an archive unchanged into an empty database, with its original schema, which the panel upgrades at its start. The caller
 * provides the transaction, so that a file that proves damaged at its end leaves nothing behind.
 * @throws ArchiveError if the file is damaged, or from a newer panel
 */
export async function loadArchive(tx: Tx, archive: Archive, { engine, folder, path }: Into): Promise<void> {
  const { header } = archive;
  const known = new Set(migrationNames(folder, engine).map(intentOf));
  if (header.migrations.some(({ name }) => !known.has(name))) throw newer(path, header.version);
  const wanted = new Map(header.migrations.map(({ name, appliedAt }) => [name, appliedAt]));
  await migrateInside(tx, engine, folder, { now: new Date(0), wants: (file) => wanted.has(intentOf(file)) });
  for (const file of migrationNames(folder, engine))
    await sql`update migrations set applied_at = ${wanted.get(intentOf(file)) ?? 0} where name = ${file}`.execute(tx);

  const shapes = await shapesIn(tx, engine);
  // Rows that migrations inserted are in the backup too, or were deleted since.
  const links = await withoutLinks(tx, engine);
  for (const { table } of shapes.values())
    if ((await sql`select 1 from ${sql.table(table)} limit 1`.execute(tx)).rows.length > 0)
      await sql`delete from ${sql.table(table)}`.execute(tx);
  for await (const { table, columns, rows } of archive.tables) {
    const shape = shapes.get(table);
    shapes.delete(table);
    const isSame =
      shape?.columns.length === columns.length && shape.columns.every(({ name }) => columns.includes(name));
    if (shape === undefined || !isSame) throw damaged(path);
    for await (const some of rows) {
      const most = Math.max(1, Math.floor(MOST_VALUES / columns.length));
      for (let from = 0; from < some.length; from += most)
        await insert(tx, shape, columns, some.slice(from, from + most));
      await letOthersIn();
    }
  }
  if (shapes.size > 0) throw damaged(path);
  await links.putBack();
}

async function shapesIn(tx: Tx, engine: Database["engine"]): Promise<Map<string, Shape>> {
  const { rows } = await sql.raw<Record<string, unknown>>(shapesQuery(engine)).execute(tx);
  return new Map(shapesOf(rows).map((shape) => [shape.table, shape]));
}

async function insert(tx: Tx, shape: Shape, columns: string[], rows: Value[][]): Promise<void> {
  const tuple = (row: Value[]): RawBuilder<unknown> => sql`(${sql.join(row.map((value) => sql`${plain(value)}`))})`;
  await sql`insert into ${sql.table(shape.table)} (${sql.raw(columns.map(quoted).join(", "))})
    values ${sql.join(rows.map(tuple))}`.execute(tx);
}

const plain = (value: Value) =>
  value !== null && typeof value === "object" ? Buffer.from(value.bytes, "base64") : value;

/**
 * Tables come in name order, and some refer to each other or to themselves, so references are checked when everything is loaded.
 * SQLite can defer that until the commit; PostgreSQL gets its foreign keys back at the end, which checks them all at once.
 */
async function withoutLinks(tx: Tx, engine: Database["engine"]): Promise<{ putBack(): Promise<void> }> {
  if (engine === "sqlite") {
    await sql`pragma defer_foreign_keys = on`.execute(tx);
    return { putBack: async () => {} };
  }
  const { rows } = await sql<{ table: string; name: string; definition: string }>`
    select r.relname as "table", c.conname as name, pg_get_constraintdef(c.oid) as definition
    from pg_constraint c join pg_class r on r.oid = c.conrelid
    where c.contype = 'f' and c.connamespace = current_schema()::regnamespace order by r.relname, c.conname`.execute(
    tx,
  );
  for (const { table, name } of rows)
    await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(name)}`.execute(tx);
  return {
    async putBack() {
      for (const { table, name, definition } of rows)
        await sql`alter table ${sql.table(table)} add constraint ${sql.ref(name)} ${sql.raw(definition)}`.execute(tx);
    },
  };
}
