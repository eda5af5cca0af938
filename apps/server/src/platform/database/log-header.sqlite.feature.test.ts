import { type ChildProcess, fork } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, readSync, renameSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Dialect, DummyDriver, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeTestDatabase } from "../../../testing/test-database.ts";
import { type Database, makeDatabase, readerOf } from "./database.ts";
import { logHeaderIn } from "./log-header.ts";
import { openSqlite } from "./sqlite.ts";

/** How many commits of another process are awaited. */
const COMMITS = 3_000;
const ANOTHER_IS_KILLED_EVERY = 1_000;

let path: string;
let drop: () => Promise<void>;
let panel: Database;
let other: ChildProcess | undefined;
let numberFile: string;
let numberFd: number;

beforeEach(async () => {
  const made = await makeTestDatabase();
  drop = made.drop;
  path = join(made.config.dataDir, "krug.db");
  panel = await openSqlite(path);
  await sql`create table commits (number integer not null)`.execute(panel.db);
  await sql`insert into commits values (0)`.execute(panel.db);
  numberFile = join(made.config.dataDir, "number");
  writeFileSync(numberFile, Buffer.alloc(8));
  numberFd = openSync(numberFile, "r");
});
afterEach(async () => {
  other?.kill("SIGKILL");
  closeSync(numberFd);
  await panel.close();
  await drop();
});

const script = fileURLToPath(new URL("../../../testing/commit-often.ts", import.meta.url));
const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
/** Another process that commits these numbers. */
function commitNumbers(first: number, last: number): ChildProcess {
  other = fork(script, [path, numberFile, String(first), String(last)], { execArgv: ["--import", tsx] });
  return other;
}

const number = Buffer.alloc(8);
/** The last number whose commit has ended, by what the other process wrote afterwards. */
function lastCommitted(): number {
  readSync(numberFd, number, 0, 8, 0);
  return number.readDoubleLE();
}

/** Queries only after a change, as `whileUnchanged` does. */
function makeRead() {
  let known: { state: object; number: number } | null = null;
  let queries = 0;
  return {
    queries: () => queries,
    number(): number {
      const reader = readerOf(panel.db);
      const state = reader?.state();
      if (reader === undefined || state === undefined) throw new Error("the connection is taken");
      if (known?.state !== state) {
        queries++;
        known = {
          state,
          number: (reader.read("select number from commits", []) as { number: number }[])[0]?.number ?? -1,
        };
      }
      return known.number;
    },
  };
}

/** The end of this run of JavaScript, so the next question is a new one. */
const nextRun = () => new Promise<void>((resolve) => setImmediate(resolve));

test("what another process has committed shows in the very next read, whatever it does to the log and however it ends", async () => {
  const read = makeRead();
  let killedAt = 0;
  let looks = 0;
  let stale: { committed: number; read: number } | null = null;
  for (let first = 1; first <= COMMITS && stale === null; ) {
    const running = commitNumbers(first, COMMITS);
    while (stale === null) {
      const committed = lastCommitted();
      const found = read.number();
      looks++;
      if (found < committed) stale = { committed, read: found };
      if (found >= COMMITS) break;
      if (found - killedAt >= ANOTHER_IS_KILLED_EVERY) break;
      await nextRun();
    }
    // Like a power cut: perhaps in the middle of a commit, or between its two copies of the header.
    running.kill("SIGKILL");
    if (running.exitCode === null && running.signalCode === null) await new Promise((end) => running.once("exit", end));
    killedAt = read.number();
    first = killedAt + 1;
  }
  expect(stale).toBeNull();
  expect(read.number()).toBe(COMMITS);
  // It looked between the commits, and did not query each time.
  expect(read.queries()).toBeGreaterThan(10);
  expect(read.queries()).toBeLessThan(looks);
}, 60_000);

test("while nobody commits, SQLite is not asked", async () => {
  const read = makeRead();
  expect(read.number()).toBe(0);
  await nextRun();
  const before = readerOf(panel.db)?.state();
  // Were SQLite asked now, it would fail.
  renameSync(`${path}-shm`, `${path}-shm-away`);
  await nextRun();
  expect(readerOf(panel.db)?.state()).toBe(before);
  renameSync(`${path}-shm-away`, `${path}-shm`);
});

test("a database put in the place of an open one is read by itself", async () => {
  const old = panel;
  const made = await makeTestDatabase();
  const elsewhere = join(made.config.dataDir, "krug.db");
  const restored = await openSqlite(elsewhere);
  await sql`create table commits (number integer not null)`.execute(restored.db);
  await sql`insert into commits values (1)`.execute(restored.db);
  await restored.close();
  renameSync(elsewhere, path);
  for (const end of ["-wal", "-shm"]) renameSync(path + end, `${path}${end}-old`);
  panel = await openSqlite(path);
  const read = makeRead();
  expect(read.number()).toBe(1);
  const another = await openSqlite(path);
  for (const value of [2, 3, 4]) {
    await another.transact((tx) => sql`update commits set number = ${value}`.execute(tx));
    await nextRun();
    expect(read.number()).toBe(value);
  }
  await another.close();
  await old.close();
  await made.drop();
});

/** What SQLite holds as long as a process has the database open: without it, the next process would begin a new index. */
const isShmLocked = () =>
  readFileSync("/proc/locks", "utf8")
    .split("\n")
    .some((line) => line.includes(` ${process.pid} `) && line.includes(`:${statSync(`${path}-shm`).ino} `));

test.runIf(existsSync("/proc/locks"))("SQLite's locks stay when one of several handles closes", async () => {
  expect(isShmLocked()).toBe(true);
  const another = await openSqlite(path);
  await another.close();
  expect(isShmLocked()).toBe(true);
});

test("a commit between the look at the header and SQLite's answer shows in the next read", async () => {
  const file = join(path, "..", "header");
  const header = Buffer.alloc(96);
  header[12] = header[60] = 1;
  writeFileSync(file, header);
  const fd = openSync(file, "r");
  let version = 1;
  const readNow = () => {
    const answer = [{ data_version: version }];
    // Another process commits right after SQLite has answered.
    if (version < 2) {
      version = 2;
      header[8] = header[56] = 2;
      writeFileSync(file, header);
    }
    return answer;
  };
  const dialect: Dialect = {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
  const { db, close } = makeDatabase("sqlite", dialect, "begin", { readNow, logHeader: logHeaderIn(fd) });
  const states: unknown[] = [];
  for (let times = 0; times < 4; times++) {
    states.push(readerOf(db)?.state());
    await nextRun();
  }
  expect(states.map((state) => states.indexOf(state))).toEqual([0, 1, 1, 1]);
  closeSync(fd);
  await close();
});

test("a header that is half-written, short or empty is never taken for the accepted one", () => {
  const file = join(path, "..", "header");
  const header = (...copies: number[]) => {
    const bytes = Buffer.alloc(96);
    for (const [place, change] of copies.entries()) {
      bytes[place * 48 + 12] = 1;
      bytes[place * 48 + 8] = change;
    }
    return bytes;
  };
  writeFileSync(file, header(1, 1));
  const fd = openSync(file, "r");
  const { isSame, accept } = logHeaderIn(fd);
  expect(isSame()).toBe(false);
  accept();
  expect(isSame()).toBe(true);
  writeFileSync(file, header(1, 2));
  for (let times = 0; times < 2; times++) {
    expect(isSame()).toBe(false);
    accept();
  }
  writeFileSync(file, header(2, 2));
  expect(isSame()).toBe(false);
  accept();
  expect(isSame()).toBe(true);
  for (const unusable of [Buffer.alloc(0), header(2, 2).subarray(0, 95), Buffer.alloc(96)]) {
    writeFileSync(file, unusable);
    for (let times = 0; times < 2; times++) {
      expect(isSame()).toBe(false);
      accept();
    }
  }
  closeSync(fd);
  expect(readFileSync(file).length).toBe(96);
  expect(isSame()).toBe(false);
});
