import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { readConfig } from "./config.ts";
import { openInstallation } from "./installation.ts";
import { openSqlite } from "./platform/database/sqlite.ts";

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "krug-test-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

const openIn = (dataDir: string, options?: { mustExist: boolean }) =>
  openInstallation(readConfig({ DATA_DIR: dataDir }), new Date(), options);

/** Written as a setting, which needs no member. */
const write = (database: Awaited<ReturnType<typeof openIn>>["database"], name: string) =>
  database.transact((tx) => sql`insert into settings (name, value, changed_at) values (${name}, '1', 0)`.execute(tx));

/** The settings in the file itself, without its log. */
async function settingsIn(file: string): Promise<string[]> {
  const alone = join(folder(), "krug.db");
  copyFileSync(file, alone);
  const database = await openSqlite(alone);
  const { rows } = await sql<{ name: string }>`select name from settings order by name`.execute(database.db);
  await database.close();
  return rows.map((row) => row.name);
}

test("after a stop the database's file is complete on its own, and its log is empty", async () => {
  const dataDir = folder();
  const { database } = await openIn(dataDir);
  await write(database, "written");
  await database.close();
  expect(await settingsIn(join(dataDir, "krug.db"))).toEqual(["written"]);
  expect(statSync(join(dataDir, "krug.db-wal"), { throwIfNoEntry: false })?.size ?? 0).toBe(0);
});

test("while the panel runs the log is checkpointed into the file, even while a command line has it open", async () => {
  const dataDir = folder();
  const { database } = await openIn(dataDir);
  const other = await openSqlite(join(dataDir, "krug.db"));
  await write(database, "written");
  await database.foldLog();
  expect(await settingsIn(join(dataDir, "krug.db"))).toEqual(["written"]);
  await write(database, "later");
  await other.close();
  await database.close();
  expect(await settingsIn(join(dataDir, "krug.db"))).toEqual(["later", "written"]);
});

test("a file that was copied without its log is distinguished from a new club", async () => {
  const [running, copy] = [folder(), folder()];
  const file = await openSqlite(join(running, "krug.db")); // nothing of it is folded in yet
  await sql`create table migrations (name text)`.execute(file.db);
  copyFileSync(join(running, "krug.db"), join(copy, "krug.db"));
  await file.close();
  await expect(openIn(copy)).rejects.toThrow(/krug\.db is empty: it was copied without .*krug\.db-wal/);
  expect(existsSync(join(copy, "master.key"))).toBe(false);
});

test("if there were members, a missing database is not recreated", async () => {
  const dataDir = folder();
  const first = await openIn(dataDir);
  first.hadMembers.note();
  await first.database.close();
  rmSync(join(dataDir, "krug.db")); // the empty log of a stop stays
  await expect(openIn(dataDir)).rejects.toThrow(/holds no members.*To begin a new club/);
  expect(existsSync(join(dataDir, "krug.db"))).toBe(false);
});

test("a command line creates nothing if no panel has worked here: neither folder nor database", async () => {
  const dataDir = join(folder(), "data");
  await expect(openIn(dataDir, { mustExist: true })).rejects.toThrow(`There is no club database at ${dataDir}/krug.db`);
  expect(existsSync(dataDir)).toBe(false);
  const { database } = await openIn(dataDir);
  await database.close();
  await (await openIn(dataDir, { mustExist: true })).database.close();
});

test.each([
  ["with something else in it", (file: string) => writeFileSync(file, "not a database at all".repeat(400))],
  ["cut short", (file: string) => truncateSync(file, Math.floor(statSync(file).size / 2 / 4096) * 4096)],
  ["with a page overwritten", (file: string) => writeFileSync(file, overwritten(readFileSync(file), 3 * 4096))],
])("a database %s stops the start with what to do, and is not changed", async (_, damage) => {
  const dataDir = folder();
  await (await openIn(dataDir)).database.close();
  const file = join(dataDir, "krug.db");
  damage(file);
  const before = readFileSync(file);
  await expect(openIn(dataDir)).rejects.toThrow(
    new RegExp(`^The database ${file} is damaged .*put the last copy of DATA_DIR in its place`),
  );
  expect(readFileSync(file).equals(before)).toBe(true);
});

const overwritten = (bytes: Buffer, at: number) => {
  bytes.fill(0xaa, at, at + 4096);
  return bytes;
};

test("everything in DATA_DIR is for its owner only, even in a folder that others can read", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "krug-test-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  chmodSync(dataDir, 0o755);
  const modes = () =>
    Object.fromEntries(
      readdirSync(dataDir).map((name) => [name, (statSync(join(dataDir, name)).mode & 0o777).toString(8)]),
    );
  const open = () => openInstallation(readConfig({ DATA_DIR: dataDir }), new Date());

  const first = await open();
  expect(modes()).toEqual({
    "krug.db": "600",
    "krug.db-shm": "600",
    "krug.db-wal": "600",
    "master.key": "600",
    "panel-id": "600",
  });
  await first.database.close();

  // As left by an earlier version.
  chmodSync(join(dataDir, "krug.db"), 0o644);
  const second = await open();
  expect(new Set(Object.values(modes()))).toEqual(new Set(["600"]));
  await second.database.close();
});
