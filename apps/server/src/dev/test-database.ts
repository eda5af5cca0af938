import { randomBytes } from "node:crypto";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { Config } from "../config.ts";
import { productFolder } from "../installation.ts";
import type { Database } from "../platform/database/database.ts";
import { migrate } from "../platform/database/migrate.ts";
import { openPostgres } from "../platform/database/postgres.ts";
import { openSqlite } from "../platform/database/sqlite.ts";

/** A migrated database for one test, on the engine the run is about (TEST_ENGINE), and what removes it. */
export interface TestDatabase {
  config: Pick<Config, "databaseUrl" | "dataDir">;
  drop(): Promise<void>;
}

/** Migrated once and copied for each test, which is much quicker than to migrate each anew. */
const TEMPLATE = "krug_template";
/** Numbers the lock under which the first test of a run makes the template. */
const TEMPLATE_LOCK = 727_002;

/** In memory where the machine has enough of it. */
const scratch = () => process.env.TEST_SCRATCH ?? tmpdir();
const newFolder = (folder = scratch()) => mkdtempSync(join(folder, "krug-test-"));

/** `postgres`: a server of the test's own instead of the run's; `folder`: where its data lies. */
export async function makeTestDatabase(postgres?: string, folder?: string): Promise<TestDatabase> {
  const dataDir = newFolder(folder);
  const dropFolder = () => rmSync(dataDir, { recursive: true, force: true });
  const server = postgres ?? (process.env.TEST_ENGINE === "postgres" ? process.env.TEST_POSTGRES_URL : undefined);
  if (process.env.TEST_ENGINE === "postgres" && server === undefined) throw new Error("TEST_POSTGRES_URL is not set");
  if (server === undefined) {
    copyFileSync(await sqliteTemplate(), join(dataDir, "krug.db"));
    return { config: { databaseUrl: null, dataDir }, drop: async () => dropFolder() };
  }
  const name = `krug_${randomBytes(8).toString("hex")}`;
  await postgresTemplate(server);
  await asSuperuser(server, (client) =>
    client.query(`create database ${name} template ${TEMPLATE} strategy file_copy`),
  );
  return {
    config: { databaseUrl: databaseOf(server, name), dataDir },
    async drop() {
      await asSuperuser(server, (client) => client.query(`drop database ${name} with (force)`));
      dropFolder();
    },
  };
}

async function bringUp(database: Database): Promise<void> {
  try {
    await migrate(database, join(productFolder(), "apps", "server", "migrations"), new Date());
  } finally {
    await database.close();
  }
}

let ofThisProcess: Promise<string> | undefined;
/** One for each process that runs tests. */
function sqliteTemplate(): Promise<string> {
  const make = async () => {
    const path = join(newFolder(), "krug.db");
    await bringUp(await openSqlite(path));
    return path;
  };
  ofThisProcess ??= make();
  return ofThisProcess;
}

const templates = new Map<string, Promise<void>>();
/** One on each server; it bears its name only once it is complete. */
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
