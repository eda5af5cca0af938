import { SqliteDialect, sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { makeDatabase } from "./database.ts";

const COMMIT_MS = 30;

/** A database whose commits block the whole process, as SQLite's do on a slow disk. */
function onASlowDisk(committed: () => void) {
  const prepare = (text: string) => ({
    reader: false,
    all: () => [],
    iterate: () => [][Symbol.iterator](),
    run: () => {
      const until = performance.now() + (text === "commit" ? COMMIT_MS : 0);
      while (performance.now() < until);
      if (text === "commit") committed();
      return { changes: 1, lastInsertRowid: 0 };
    },
  });
  const dialect = new SqliteDialect({ database: { close: () => {}, prepare } });
  return makeDatabase("sqlite", dialect, "begin immediate", { readNow: () => [] });
}

test("between the slow commits of many waiting writers, everything else gets its turn", async () => {
  let turns = 0;
  const seen: number[] = [];
  const { transact } = onASlowDisk(() => seen.push(turns));
  let going = true;
  const turn = () => {
    turns++;
    if (going) setImmediate(turn);
  };
  setImmediate(turn);
  await Promise.all(Array.from({ length: 5 }, () => transact((tx) => sql`insert`.execute(tx))));
  going = false;
  expect(seen).toHaveLength(5);
  // How many depends on how busy the machine is; without a pause it is none.
  for (const [at, count] of seen.entries()) if (at > 0) expect(count - (seen[at - 1] ?? 0)).toBeGreaterThan(0);
});

test("a check whether it serves waits behind nobody", async () => {
  const { transact, answers, close } = onASlowDisk(() => {});
  let end = () => {};
  let held: Promise<void> = Promise.resolve();
  await new Promise<void>((began) => {
    held = transact(
      () =>
        new Promise<void>((resolve) => {
          end = resolve;
          began();
        }),
    );
  });
  onTestFinished(() => close());
  const queued = transact(async () => {});
  expect(await answers()).toBe(true);
  end();
  await Promise.all([held, queued]);
});
