import { randomBytes } from "node:crypto";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { Config } from "../src/config.ts";
import { productFolder } from "../src/installation.ts";
import type { Database } from "../src/platform/database/database.ts";
import { migrate } from "../src/platform/database/migrate.ts";
import { openPostgres } from "../src/platform/database/postgres.ts";
import { openSqlite } from "../src/platform/database/sqlite.ts";
import { openSealing } from "../src/platform/sealing.ts";
import { keepConnections, keptProcesses } from "./kept-connections.ts";

/** A migrated database for one test, on the run's engine (TEST_ENGINE), with its master key, and a function that removes it. */
export interface TestDatabase {
  config: Pick<Config, "databaseUrl" | "dataDir">;
  drop(): Promise<void>;
}

/** Migrated once and copied for each test, which is much quicker than migrating each. */
const TEMPLATE = "krug_template";
/** Numbers the lock under which a run's first test makes the template. */
const TEMPLATE_LOCK = 727_002;

/** In memory if the machine has enough. */
const scratch = () => process.env.TEST_SCRATCH ?? tmpdir();
const newFolder = (folder = scratch()) => mkdtempSync(join(folder, "krug-test-"));

/** `postgres`: the test's own server instead of the run's; `folder`: where its data goes. */
export async function makeTestDatabase(postgres?: string, folder?: string): Promise<TestDatabase> {
  const dataDir = newFolder(folder);
  writeFileSync(join(dataDir, "master.key"), MASTER_KEY, { mode: 0o600 });
  const dropFolder = () => rmSync(dataDir, { recursive: true, force: true });
  const server = postgres ?? (process.env.TEST_ENGINE === "postgres" ? process.env.TEST_POSTGRES_URL : undefined);
  if (process.env.TEST_ENGINE === "postgres" && server === undefined) throw new Error("TEST_POSTGRES_URL is not set");
  if (server === undefined) {
    copyFileSync(await sqliteTemplate(), join(dataDir, "krug.db"));
    return { config: { databaseUrl: null, dataDir }, drop: async () => dropFolder() };
  }
  const left = postgres === undefined ? emptied.pop() : undefined;
  const name = left ?? `krug_${randomBytes(8).toString("hex")}`;
  if (left === undefined) await copyTemplate(server, name);
  if (postgres === undefined) keepConnections(databaseOf(server, name));
  let isDropped = false;
  return {
    config: { databaseUrl: databaseOf(server, name), dataDir },
    async drop() {
      // A second time it would be another test's.
      if (isDropped) return;
      isDropped = true;
      dropFolder();
      if (postgres === undefined && (await emptyAgain(server, name))) emptied.push(name);
      else await asSuperuser(server, (client) => client.query(`drop database ${name} with (force)`));
    },
  };
}

/** A database without tables, on PostgreSQL if the run has one; null: SQLite's, which is created if missing. */
export async function emptyDatabase(
  engine: "sqlite" | "postgres",
): Promise<{ databaseUrl: string | null; drop(): Promise<void> }> {
  const server = process.env.TEST_POSTGRES_URL;
  if (engine === "sqlite") return { databaseUrl: null, drop: async () => {} };
  if (server === undefined) throw new Error("TEST_POSTGRES_URL is not set");
  const name = `krug_${randomBytes(8).toString("hex")}`;
  await asSuperuser(server, (client) => client.query(`create database ${name} template template0`));
  return {
    databaseUrl: databaseOf(server, name),
    drop: () => asSuperuser(server, (client) => client.query(`drop database ${name} with (force)`)),
  };
}

/** Left by earlier tests of this process: emptying one is much quicker than making one, and its catalogue is warm. */
const emptied: string[] = [];

/** Restores the state after the migrations. @returns false if it cannot: the test changed the schema or filled a lot */
async function emptyAgain(server: string, name: string): Promise<boolean> {
  const pool = new pg.Pool({ connectionString: databaseOf(server, name), max: 1 });
  try {
    await pool.query(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity
        where datname = $1 and pid <> pg_backend_pid() and pid <> all ($2)`,
      [name, keptProcesses(name)],
    );
    const { rows } = await pool.query<{ done: boolean }>(`select ${TEST_SCHEMA}.empty_again() as done`);
    return rows[0]?.done === true;
  } finally {
    await pool.end();
  }
}

/** Deleted rows still take space until a vacuum, which the run's server never does. */
const MUCH_BYTES = 2 ** 20;
/** The schema for the template's own bookkeeping. */
export const TEST_SCHEMA = "for_tests";
/** What the template has besides the club's schema, so one call restores a test's database. */
const EMPTY_AGAIN = `
create schema ${TEST_SCHEMA};
create function ${TEST_SCHEMA}.shape() returns text language sql as $$
  with tables as (select oid, reltablespace from pg_class where relnamespace = 'public'::regnamespace)
  select concat_ws(' ', count(*), max(oid::bigint), sum(reltablespace::bigint),
    (select count(*) from pg_attribute where attrelid in (select oid from tables) and not attisdropped),
    (select count(*) from pg_constraint where connamespace = 'public'::regnamespace),
    (select count(*) from pg_trigger where tgrelid in (select oid from tables))) from tables
$$;
create table ${TEST_SCHEMA}.shape_at_first as select ${TEST_SCHEMA}.shape() as shape;
do $$
declare name text; is_filled boolean;
begin
  for name in select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' loop
    execute format('select exists (select from public.%I)', name) into is_filled;
    if is_filled then execute format('create table ${TEST_SCHEMA}.%I as table public.%I', name, name); end if;
  end loop;
end $$;
create function ${TEST_SCHEMA}.empty_again() returns boolean language plpgsql as $$
declare one record;
begin
  if ${TEST_SCHEMA}.shape() <> (select shape from ${TEST_SCHEMA}.shape_at_first) then return false; end if;
  set local session_replication_role = replica; -- no trigger and no foreign key minds
  for one in select oid, relname, pg_relation_size(oid) as bytes from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' loop
    if one.bytes > ${MUCH_BYTES} then return false; end if;
    if one.bytes > 0 then execute format('delete from public.%I', one.relname); end if;
    if to_regclass(format('${TEST_SCHEMA}.%I', one.relname)) is not null then
      execute format('insert into public.%I table ${TEST_SCHEMA}.%I', one.relname, one.relname);
    end if;
  end loop;
  return true;
end $$;
`;

/** A first start looks for sealed texts in every column that may hold one: a fifth of a start, the same in each test. */
const MASTER_KEY = `${Buffer.alloc(32, "for tests").toString("base64")}\n`;

async function bringUp(database: Database): Promise<void> {
  const folder = newFolder();
  const keyFile = join(folder, "master.key");
  writeFileSync(keyFile, MASTER_KEY, { mode: 0o600 });
  try {
    await migrate(database, join(productFolder(), "apps", "server", "migrations"), new Date());
    await openSealing(database, keyFile, []);
  } finally {
    await database.close();
    rmSync(folder, { recursive: true });
  }
}

let ofThisProcess: Promise<string> | undefined;
/** One per test process. */
function sqliteTemplate(): Promise<string> {
  const make = async () => {
    const path = join(newFolder(), "krug.db");
    await bringUp(await openSqlite(path));
    return path;
  };
  ofThisProcess ??= make();
  return ofThisProcess;
}

async function copyTemplate(server: string, name: string): Promise<void> {
  await postgresTemplate(server);
  await asSuperuser(server, (client) =>
    client.query(`create database ${name} template ${TEMPLATE} strategy file_copy`),
  );
}

const templates = new Map<string, Promise<void>>();
/** One per server; it gets its final name only once it is complete. */
function postgresTemplate(server: string): Promise<void> {
  const made =
    templates.get(server) ??
    asSuperuser(server, async (client) => {
      await client.query("select pg_advisory_lock($1)", [TEMPLATE_LOCK]); // until the connection ends
      const { rowCount } = await client.query("select 1 from pg_database where datname = $1", [TEMPLATE]);
      if (rowCount) return;
      const draft = `${TEMPLATE}_draft`;
      await client.query(`create database ${draft}`);
      await bringUp(openPostgres(databaseOf(server, draft)));
      await asSuperuser(databaseOf(server, draft), (inDraft) => inDraft.query(EMPTY_AGAIN));
      await client.query(`alter database ${draft} rename to ${TEMPLATE}`);
    });
  templates.set(server, made);
  return made;
}

async function asSuperuser(server: string, act: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await act(client);
  } finally {
    await client.end();
  }
}

function databaseOf(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
