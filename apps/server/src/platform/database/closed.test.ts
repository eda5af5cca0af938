import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openSqlite } from "./sqlite.ts";
import { isTroubled } from "./trouble.ts";

test("work that a stop has left behind finds the database away, which nobody logs as an error", async () => {
  const folder = mkdtempSync(join(tmpdir(), "krug-closed-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const database = await openSqlite(join(folder, "krug.db"));
  await database.transact(async () => {});
  await database.close();
  const error = await database.transact(async () => {}).catch((thrown: unknown) => thrown);
  expect(isTroubled(error)).toBe(true);
});
