import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { afterEach, expect, test } from "vitest";
import { freePort } from "../../../../../scripts/free-port.mjs";
import { makeTestDatabase } from "../../../testing/test-database.ts";
import { readConfig } from "../../config.ts";
import { openInstallation } from "../../installation.ts";

const PROGRAM = "/usr/sbin/pgbouncer";
const isThere = spawnSync(PROGRAM, ["--version"]).status === 0;
const ends: (() => Promise<unknown> | undefined)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Starts PgBouncer in front of the test's PostgreSQL; returns the database's address through it. */
async function through(url: URL, mode: "session" | "transaction" | "statement"): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "krug-pooler-"));
  ends.push(async () => rmSync(folder, { recursive: true, force: true }));
  const port = await freePort();
  const users = join(folder, "users");
  writeFileSync(users, `"${url.username}" "${url.password}"\n`);
  const database = url.pathname.slice(1);
  const settings = join(folder, "pgbouncer.ini");
  writeFileSync(
    settings,
    `[databases]
${database} = host=${url.hostname} port=${url.port} dbname=${database}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
auth_type = plain
auth_file = ${users}
unix_socket_dir =
pool_mode = ${mode}
`,
  );
  // It refuses to run as root.
  const idOf = (flag: string) => Number(execFileSync("id", [flag, "nobody"], { encoding: "utf8" }));
  const nobody = process.getuid?.() === 0 ? { uid: idOf("-u"), gid: idOf("-g") } : null;
  if (nobody) for (const path of [folder, users, settings]) chownSync(path, nobody.uid, nobody.gid);
  const pooler: ChildProcess = spawn(PROGRAM, ["--quiet", settings], { ...nobody, stdio: "ignore" });
  const ended = new Promise((resolve) => pooler.once("exit", resolve));
  ends.push(() => {
    pooler.kill("SIGKILL");
    return ended;
  });
  while (!(await listens(port))) {
    if (pooler.exitCode !== null) throw new Error(`PgBouncer ended with ${pooler.exitCode}`);
    await wait(20);
  }
  const address = new URL(url);
  address.port = String(port);
  address.hostname = "127.0.0.1";
  return address.href;
}

const listens = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = createConnection({ port, host: "127.0.0.1" });
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });

async function openThrough(mode: "session" | "transaction" | "statement") {
  const { config, drop } = await makeTestDatabase();
  ends.push(drop);
  const databaseUrl = await through(new URL(config.databaseUrl ?? ""), mode);
  return openInstallation({ ...readConfig({ DATA_DIR: config.dataDir }), databaseUrl }, new Date());
}

test.skipIf(!isThere)(
  "behind PgBouncer in session mode the panel opens its database, with its own limits and without compiled plans",
  async () => {
    const { database } = await openThrough("session");
    ends.push(() => database.close());
    const { rows } = await sql<Record<string, string>>`select current_setting('statement_timeout') as statement,
    current_setting('lock_timeout') as lock, current_setting('idle_in_transaction_session_timeout') as idle,
    current_setting('jit') as jit`.execute(database.db);
    expect(rows).toEqual([{ statement: "2min", lock: "20s", idle: "1min", jit: "off" }]);
  },
);

test.skipIf(!isThere).each(["transaction", "statement"] as const)(
  "behind PgBouncer in %s mode it does not start, and names the mode",
  async (mode) => {
    await expect(openThrough(mode)).rejects.toThrow(/^DATABASE_URL postgres.*pool_mode = transaction.*session/);
  },
);
