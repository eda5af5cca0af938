import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { emptyDatabase } from "../../../testing/test-database.ts";
import { productFolder } from "../../installation.ts";
import type { Database } from "./database.ts";
import { migrate, migrateInside, migrationNames } from "./migrate.ts";
import { openPostgres } from "./postgres.ts";
import { describeSchema } from "./schema.ts";
import { openSqlite } from "./sqlite.ts";

/*
 * Upgrades with data: at every schema since upgrades were introduced each table gets a row, and all rows go through all later
 * migrations. So a club of any version is covered.
 */

const ENGINE = process.env.TEST_ENGINE === "postgres" ? "postgres" : "sqlite";
const NOW = new Date("2026-11-24T09:00:00Z");

/** Values a migration recalculates, even if a row had one. */
const WORKED_OUT = new Set(["member_use.month_as_of"]);
/** Where rows of a removed table went. */
const MOVED: Record<string, string> = { telegram_outbox: "outbox", telegram_choices: "notice_choices" };

interface Column {
  name: string;
  type: string;
  isKey: boolean;
  table: string | null;
}
type Row = Record<string, string | number | Uint8Array>;
interface Kept {
  table: string;
  key: string[];
  row: Row;
}

let folder: string;
let database: Database;
let drop: () => Promise<void>;
beforeEach(async () => {
  folder = mkdtempSync(join(process.env.TEST_SCRATCH ?? tmpdir(), "krug-upgrade-"));
  cpSync(join(productFolder(), "apps/server/migrations"), join(folder, "migrations"), { recursive: true });
  const empty = await emptyDatabase(ENGINE);
  drop = empty.drop;
  database = empty.databaseUrl === null ? await openSqlite(join(folder, "krug.db")) : openPostgres(empty.databaseUrl);
});
afterEach(async () => {
  await database.close();
  await drop();
  rmSync(folder, { recursive: true });
});

const migrations = () => join(folder, "migrations");
const steps = () => migrationNames(migrations(), ENGINE).sort();
const schema = () => database.transact((tx) => describeSchema(tx, ENGINE));
const stepTo = (name: string) =>
  database.transact((tx) => migrateInside(tx, ENGINE, migrations(), { now: NOW, wants: (file) => file <= name }));
/** Every table of the current schema, referenced ones first. */
async function tablesNow(): Promise<Map<string, Column[]>> {
  const query =
    ENGINE === "sqlite"
      ? `select t.name as owner, c.name as name, lower(c.type) as type, c.pk > 0 as is_key, f."table" as target
         from sqlite_master t join pragma_table_xinfo(t.name) c left join pragma_foreign_key_list(t.name) f on f."from" = c.name
         where t.type = 'table' and t.name not like 'sqlite_%' and t.name <> 'migrations' and c.hidden = 0`
      : `select c.table_name as owner, c.column_name as name, c.data_type as type, (p.attnum is not null)::int as is_key, f.target
         from information_schema.columns c
         left join (select conrelid::regclass::text as owner, unnest(conkey) as attnum from pg_constraint where contype = 'p') p
           on p.owner = c.table_name and p.attnum = c.ordinal_position
         left join (select conrelid::regclass::text as owner, conkey[1] as attnum, confrelid::regclass::text as target
           from pg_constraint where contype = 'f') f on f.owner = c.table_name and f.attnum = c.ordinal_position
         where c.table_schema = current_schema() and c.table_name <> 'migrations' and c.is_generated = 'NEVER'`;
  const { rows } = await sql
    .raw<{ owner: string; name: string; type: string; is_key: number; target: string | null }>(query)
    .execute(database.db);
  const tables = new Map<string, Column[]>();
  for (const { owner, name, type, is_key, target } of rows) {
    const columns = tables.get(owner) ?? [];
    tables.set(owner, columns);
    if (!columns.some((column) => column.name === name))
      columns.push({ name, type, isKey: Number(is_key) === 1, table: target });
  }
  const sorted = new Map<string, Column[]>();
  const place = (table: string, columns: Column[]) => {
    if (sorted.has(table)) return;
    for (const { table: target } of columns)
      if (target !== null && target !== table) place(target, tables.get(target) ?? []);
    sorted.set(table, columns);
  };
  for (const [table, columns] of tables) place(table, columns);
  return sorted;
}

/** A row unique to the step; references point to rows of the same step. */
function rowOf(table: string, columns: readonly Column[], step: number, tables: ReadonlySet<string>): Row {
  const idOf = (target: string) => `${target}:${step}`;
  const valueIn = ({ name, type, table: target }: Column) => {
    if (/bytea|blob/.test(type)) return new Uint8Array([step, 0, 255]);
    if (/int/.test(type)) return name.startsWith("is_") || name === "one" ? 1 : step;
    if (name === "subnet") return `10.${step}.0.0/24`;
    if (name === "address") return `10.${step}.0.7`;
    if (target !== null) return idOf(target);
    const named = `${name.replace(/_id$/, "")}s`;
    if (name.endsWith("_id") && tables.has(named)) return idOf(named);
    return name === "id" ? idOf(table) : `${table}.${name}:${step}`;
  };
  return Object.fromEntries(columns.map((column) => [column.name, valueIn(column)]));
}

/** Gives every table a row, if it may have more than one. */
async function fill(step: number): Promise<Kept[]> {
  const tables = await tablesNow();
  const kept: Kept[] = [];
  await database.transact(async (tx) => {
    for (const [table, columns] of tables) {
      const isOfOneRow = columns.some(({ name }) => name === "one");
      if (isOfOneRow && (await sql`select 1 from ${sql.table(table)}`.execute(tx)).rows.length > 0) continue;
      const row = rowOf(table, columns, step, new Set(tables.keys()));
      await sql`insert into ${sql.table(table)} (${sql.join(columns.map(({ name }) => sql.ref(name)))})
        values (${sql.join(columns.map(({ name }) => row[name]))})`.execute(tx);
      const key = columns.filter((column) => column.isKey).map(({ name }) => name);
      kept.push({ table, key, row });
    }
  });
  return kept;
}

/** The row's current values; undefined: it is gone. */
async function nowOf(
  { table, key, row }: Kept,
  isThere: (table: string) => boolean,
): Promise<Record<string, unknown> | undefined> {
  const where = sql.join(
    key.map((name) => sql`${sql.ref(name)} = ${row[name]}`),
    sql` and `,
  );
  const { rows } = await sql<
    Record<string, unknown>
  >`select * from ${sql.table(isThere(table) ? table : (MOVED[table] ?? table))} where ${where}`.execute(database.db);
  return rows[0];
}

const asText = (value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString("hex") : String(value));

/** What has changed or disappeared in these rows. */
async function lostOf(kept: readonly Kept[]): Promise<string[]> {
  const lost: string[] = [];
  const tables = await tablesNow();
  for (const { table, key, row } of kept) {
    const now = await nowOf({ table, key, row }, (name) => tables.has(name));
    if (now === undefined) lost.push(`${table}: ${key.map((name) => row[name]).join(", ")}`);
    for (const [name, value] of Object.entries(row))
      if (name in (now ?? {}) && !WORKED_OUT.has(`${table}.${name}`) && asText(now?.[name]) !== asText(value))
        lost.push(`${table}.${name}: ${asText(value)} became ${asText(now?.[name])}`);
  }
  return lost;
}

test("a club of any version is brought up to date with every row and value it had", async () => {
  const kept: Kept[] = [];
  for (const [step, name] of steps().entries()) {
    expect(await stepTo(name)).toEqual([name]);
    kept.push(...(await fill(step + 2)));
  }
  expect(kept.length).toBeGreaterThan(2_000);
  expect(await lostOf(kept)).toEqual([]);
  if (ENGINE === "sqlite") expect((await sql`pragma foreign_key_check`.execute(database.db)).rows).toEqual([]);
});

test("a link between servers that was down at the upgrade is down, and one that never answered is still being made", async () => {
  await stepTo("0809");
  const tables = await tablesNow();
  const columns = tables.get("exit_links") ?? [];
  const link = async (step: number, down_since: number | null) => {
    const row = { ...rowOf("exit_links", columns, step, new Set(tables.keys())), created_at: 100, has_answered: 0 };
    await sql`insert into exit_links (${sql.join(columns.map(({ name }) => sql.ref(name)))})
      values (${sql.join(columns.map(({ name }) => (name === "down_since" ? down_since : row[name as keyof typeof row])))})`.execute(
      database.db,
    );
  };
  await link(2, 100);
  await link(3, 200);
  await link(4, null);
  await migrate(database, migrations(), NOW);
  const { rows } = await sql`select has_answered from exit_links order by number`.execute(database.db);
  expect(rows).toEqual([{ has_answered: 0 }, { has_answered: 1 }, { has_answered: 1 }]);
});

test("an upgrade that fails at its last statement leaves the old schema and rows", async () => {
  const all = steps();
  await stepTo(all.at(-12) ?? "");
  const kept = await fill(200);
  const before = await schema();
  const broken = join(migrations(), "9999_broken.sql");
  writeFileSync(
    broken,
    "update members set display_name = 'x';\ndelete from jobs;\ninsert into nowhere (id) values (1);\n",
  );
  await expect(migrate(database, migrations(), NOW)).rejects.toThrow(/nowhere/);
  expect(await schema()).toEqual(before);
  expect(await lostOf(kept)).toEqual([]);
  rmSync(broken);
  expect(await migrate(database, migrations(), NOW)).toEqual(all.slice(-11));
  expect(await lostOf(kept)).toEqual([]);
});
