import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import pg from "pg";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { makeTestDatabase } from "../../../testing/test-database.ts";
import { productFolder } from "../../installation.ts";
import type { Database } from "./database.ts";
import { migrate } from "./migrate.ts";
import { openPostgres } from "./postgres.ts";
import { LINE_NAME, OLDER_LINE_NAMES } from "./postgres-line.ts";
import { openSqlite } from "./sqlite.ts";

const FROM_BEFORE = /from before upgrades began.*continue with the version that made it, or start over/;

let database: Database;
let folder: string;
let databaseUrl: string | null;
beforeEach(async () => {
  const made = await makeTestDatabase();
  folder = mkdtempSync(join(tmpdir(), "krug-migrations-"));
  cpSync(join(productFolder(), "apps/server/migrations"), folder, { recursive: true });
  const { dataDir } = made.config;
  databaseUrl = made.config.databaseUrl;
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

test.each([LINE_NAME, ...OLDER_LINE_NAMES])(
  "a migration that older panels could not work with waits until they have stopped: %s",
  async (name) => {
    const panel = databaseUrl === null ? null : new pg.Client(databaseUrl);
    const running = panel && new pg.Client({ connectionString: databaseUrl ?? "", application_name: name });
    await panel?.connect();
    await running?.connect();
    write("0998_adds.sql", "create table added (id text primary key);\n");
    // A migration that only adds runs next to them.
    expect(await start()).toEqual(["0998_adds.sql"]);
    write("0999_narrows.sql", "-- stops older panels: they read it\ndrop table added;\n");
    if (running) {
      await expect(start()).rejects.toThrow(/0999_narrows\.sql.*1 of this database is running\. Stop it first/);
      await run("select 1 from added");
    }
    await running?.end();
    expect(await start()).toEqual(["0999_narrows.sql"]);
    await panel?.end();
  },
);

test("a migration that lands after a higher number is still applied", async () => {
  write("0999_new.sql", "create table newest (id text primary key);\n");
  await start();
  write("0500_between.sql", "create table between_them (id text primary key);\n");
  expect(await start()).toEqual(["0500_between.sql"]);
  expect(await start()).toEqual([]);
});

test("addresses that were free before the table of free ones existed are not lost", async () => {
  await run("drop index configs_address_number");
  await run("alter table configs drop column address_number");
  await run("drop table free_addresses");
  await run("create unique index configs_address on configs (interface_id, address) where address <> ''");
  await run("delete from migrations where name like '0211%'");
  await run(
    "insert into members (id, username, username_key, display_name, role, is_active, is_vip, is_unlimited, config_limit, created_at) values ('m', 'm', 'm', 'm', 'user', 1, 0, 0, 3, 0)",
  );
  await run(
    "insert into servers (id, name, driver, is_main, is_setup_complete, created_at) values ('s', 's', 'local', 1, 1, 0)",
  );
  for (const [id, subnet] of [
    ["full", "10.8.0.0/24"],
    ["gaps", "10.9.0.0/16"],
    ["empty", "10.10.0.0/24"],
  ])
    await run(
      `insert into interfaces (id, server_id, name, type, parameters, interface_name, listen_port, subnet, public_key, sealed_private_key, is_active, created_at) values ('${id}', 's', '${id}', 'wireguard', '{}', '${id}', 1, '${subnet}', '${id}', '', 1, 0)`,
    );
  for (const [at, [place, address]] of [
    ["full", "10.8.0.2"],
    ["full", "10.8.0.3"],
    ["gaps", "10.9.0.4"],
    ["gaps", "10.9.0.7"],
    ["gaps", ""],
    ["gaps", ""],
  ].entries())
    await run(
      `insert into configs (id, member_id, name, name_key, device_type, interface_id, dns_id, address, public_key, sealed_preshared_key, is_blocked, on_wire, is_stale, created_at) values ('c${at}', 'm', 'c${at}', 'c${at}', 'phone', '${place}', 'd', '${address}', 'c${at}', '', 0, 0, 0, 0)`,
    );
  expect(await start()).toEqual([expect.stringMatching(/^0211_/)]);
  const free = await sql<{
    interface_id: string;
    address_number: number;
  }>`select interface_id, address_number from free_addresses order by address_number`.execute(database.db);
  const number = (d: number) => ((10 * 256 + 9) * 256 + 0) * 256 + d;
  expect(free.rows).toEqual([2, 3, 5, 6].map((d) => ({ interface_id: "gaps", address_number: number(d) })));
});
