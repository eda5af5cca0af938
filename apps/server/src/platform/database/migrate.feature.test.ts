import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { makeTestDatabase } from "../../dev/test-database.ts";
import { productFolder } from "../../installation.ts";
import type { Database } from "./database.ts";
import { migrate } from "./migrate.ts";
import { openPostgres } from "./postgres.ts";
import { openSqlite } from "./sqlite.ts";

const FROM_BEFORE = /from before upgrades began.*go on with the version that made it, or start over/;

let database: Database;
let folder: string;
beforeEach(async () => {
  const made = await makeTestDatabase();
  folder = mkdtempSync(join(tmpdir(), "krug-migrations-"));
  cpSync(join(productFolder(), "apps/server/migrations"), folder, { recursive: true });
  const { databaseUrl, dataDir } = made.config;
  database = databaseUrl === null ? await openSqlite(join(dataDir, "krug.db")) : openPostgres(databaseUrl);
  onTestFinished(async () => {
    await database.close();
    await made.drop();
    rmSync(folder, { recursive: true });
  });
  await start();
});

const start = () => migrate(database, folder, new Date());
const run = (statement: string) => sql.raw(statement).execute(database.db);
const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
const hashes = async () =>
  (await sql<{ hash: string | null }>`select hash from migrations`.execute(database.db)).rows.map(({ hash }) => hash);

test("a database with today's schema but no hashes is adopted, and nothing is applied twice", async () => {
  await run("alter table migrations drop column hash");
  expect(await start()).toEqual([]);
  expect((await hashes()).every((hash) => /^[0-9a-f]{64}$/.test(hash ?? ""))).toBe(true);
  expect(await start()).toEqual([]);
});

test.each([
  ["another column", "alter table creations add column shade text"],
  ["another type of index", "drop index audit_at"],
  ["a migration of another name", "insert into migrations (name, applied_at) values ('0009_gone.sql', 0)"],
])("an older database with %s is refused with one sentence and left as it is", async (_, change) => {
  await run("update migrations set hash = null");
  await run(change);
  write("0999_new.sql", "create table newest (id text primary key);\n");
  await expect(start()).rejects.toThrow(FROM_BEFORE);
  await expect(run("select 1 from newest")).rejects.toThrow();
  expect(new Set(await hashes())).toEqual(new Set([null]));
});

test("a database is refused if one of its migrations has changed since", async () => {
  const name = "0010_members.sql";
  write(name, `${readFileSync(join(folder, name), "utf8")}create index later on audit (target);\n`);
  await expect(start()).rejects.toThrow(FROM_BEFORE);
});

test("a newer database is not touched by an older panel", async () => {
  write("0999_new.sql", "create table newest (id text primary key);\n");
  expect(await start()).toEqual(["0999_new.sql"]);
  rmSync(join(folder, "0999_new.sql"));
  await expect(start()).rejects.toThrow("The database is newer than this panel (0999_new.sql).");
});

test("a migration that lands after a higher number is still applied", async () => {
  write("0999_new.sql", "create table newest (id text primary key);\n");
  await start();
  write("0500_between.sql", "create table between_them (id text primary key);\n");
  expect(await start()).toEqual(["0500_between.sql"]);
  expect(await start()).toEqual([]);
});
