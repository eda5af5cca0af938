import { join } from "node:path";
import { sql } from "kysely";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { makeTestDatabase } from "../../../testing/test-database.ts";
import { type Db, readerOf, type Tx } from "./database.ts";
import { openPostgres } from "./postgres.ts";
import { prepared } from "./prepared.ts";
import { openSqlite } from "./sqlite.ts";
import { answeredWhileSame, whileUnchanged } from "./while-unchanged.ts";

const isSqlite = process.env.TEST_ENGINE !== "postgres";

async function twoOnOneDatabase() {
  const { config, drop } = await makeTestDatabase();
  onTestFinished(drop);
  const open = async () => {
    const { databaseUrl, dataDir } = config;
    const database = databaseUrl === null ? await openSqlite(join(dataDir, "krug.db")) : openPostgres(databaseUrl);
    onTestFinished(() => database.close());
    return database;
  };
  return { panel: await open(), other: await open() };
}

type Tables = {
  settings: { name: string; value: string; changed_at: number };
};
const values = prepared((db, { name }: { name: string }) =>
  db.withTables<Tables>().selectFrom("settings").select("value").where("name", "=", name),
);
let asked = 0;
const settingOf = whileUnchanged(async (db, name) => {
  asked += 1;
  return (await values(db, { name })).map(({ value }) => value).join();
});
const read = (db: Db | Tx) => settingOf(db, "graceHours");
const write = (tx: Tx, value: number) =>
  sql`insert into settings (name, value, changed_at) values ('graceHours', ${String(value)}, 0)
    on conflict (name) do update set value = excluded.value`.execute(tx);

beforeEach(() => {
  asked = 0;
});

test("an answer is reused until something changes", async () => {
  const { panel } = await twoOnOneDatabase();
  for (const value of [1, 2, 3]) {
    await panel.transact((tx) => write(tx, value));
    asked = 0;
    for (let times = 0; times < 3; times++) expect(await read(panel.db)).toBe(String(value));
    expect(asked).toBe(isSqlite ? 1 : 3);
  }
});

test("a change through another connection, such as the command line's, shows at once", async () => {
  const { panel, other } = await twoOnOneDatabase();
  for (const value of [1, 2, 3]) {
    await other.transact((tx) => write(tx, value));
    expect(await read(panel.db)).toBe(String(value));
  }
});

test("the database is still the same until anybody commits, which is seen at once; PostgreSQL cannot tell", async () => {
  const { panel, other } = await twoOnOneDatabase();
  const reader = () => readerOf(panel.db);
  for (const [value, { transact }] of [panel, other, other, panel].entries()) {
    const state = reader()?.state() ?? {};
    for (let times = 0; times < 3; times++) {
      expect(reader()?.isStill(state)).toBe(isSqlite ? true : undefined);
      // The next run of JavaScript.
      await new Promise(setImmediate);
    }
    await transact((tx) => write(tx, value));
    expect(reader()?.isStill(state)).toBe(isSqlite ? false : undefined);
    expect(reader()?.state()).not.toBe(state);
    expect(reader()?.isStill(state)).toBe(isSqlite ? false : undefined);
  }
});

test("a transaction sees its own writes, and nobody else does before it has ended", async () => {
  const { panel } = await twoOnOneDatabase();
  await panel.transact((tx) => write(tx, 1));
  expect(await read(panel.db)).toBe("1");
  let written = () => {};
  let end = () => {};
  const isWritten = new Promise<void>((resolve) => {
    written = resolve;
  });
  const mayEnd = new Promise<void>((resolve) => {
    end = resolve;
  });
  const undone = panel.transact(async (tx) => {
    await write(tx, 2);
    expect(await read(tx)).toBe("2");
    written();
    await mayEnd;
    throw new Error("undone");
  });
  undone.catch(() => {});
  await isWritten;
  const beside = read(panel.db);
  await new Promise(setImmediate);
  end();
  await expect(undone).rejects.toThrow("undone");
  expect([await beside, await read(panel.db)]).toEqual(["1", "1"]);
});

test("plain reads are refused inside a transaction, cached or not", async () => {
  const { panel } = await twoOnOneDatabase();
  await read(panel.db);
  await expect(panel.transact(() => read(panel.db))).rejects.toThrow("use tx there");
});

test("a made answer is given again only while the database and what else it is made from are the same", async () => {
  const { panel, other } = await twoOnOneDatabase();
  const whileSame = answeredWhileSame<{ value: string }>();
  let besides: unknown[] = ["by the clock"];
  let duringIt = async () => {};
  const answer = () =>
    whileSame(panel.db, { key: "anna", besides: () => besides }, async () => {
      const value = await read(panel.db);
      await duringIt();
      return { value };
    });
  await panel.transact((tx) => write(tx, 1));
  const first = await answer();
  expect((await answer()) === first).toBe(isSqlite);
  besides = ["another day"];
  expect(await answer()).not.toBe(first);
  for (const [at, { transact }] of [panel, other].entries()) {
    await transact((tx) => write(tx, at + 2));
    expect(await answer()).toEqual({ value: String(at + 2) });
  }
  // What changes while an answer is made: that answer may be old already, the next one is not.
  await panel.transact((tx) => write(tx, 4));
  duringIt = () => other.transact((tx) => write(tx, 5)).then(() => {});
  await answer();
  duringIt = async () => {};
  expect(await answer()).toEqual({ value: "5" });
  besides = ["before"];
  duringIt = async () => {
    besides = ["after"];
  };
  const made = await answer();
  besides = ["before"];
  expect(await answer()).not.toBe(made);
});
