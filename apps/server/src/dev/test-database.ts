import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { Config } from "../config.ts";

/** An empty database for one test, on the engine the run is about (TEST_ENGINE), and what removes it. */
export interface TestDatabase {
  config: Pick<Config, "databaseUrl" | "dataDir">;
  drop(): Promise<void>;
}

export async function makeTestDatabase(): Promise<TestDatabase> {
  const dataDir = mkdtempSync(join(tmpdir(), "krug-test-"));
  const dropFolder = () => rmSync(dataDir, { recursive: true, force: true });
  const server = process.env.TEST_ENGINE === "postgres" ? process.env.TEST_POSTGRES_URL : undefined;
  if (process.env.TEST_ENGINE === "postgres" && server === undefined) throw new Error("TEST_POSTGRES_URL is not set");
  if (server === undefined) return { config: { databaseUrl: null, dataDir }, drop: async () => dropFolder() };
  const name = `krug_${randomBytes(8).toString("hex")}`;
  const asSuperuser = async (statement: string) => {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  await asSuperuser(`create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    config: { databaseUrl: url.href, dataDir },
    async drop() {
      await asSuperuser(`drop database ${name} with (force)`);
      dropFolder();
    },
  };
}
