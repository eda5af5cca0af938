import { sql } from "kysely";
import { expect, onTestFinished, test, vi } from "vitest";
import { startClub } from "../../../testing/start-club.ts";
import { openLogHeader } from "./log-header.ts";

/** SQLite's own limit is 1,000. */
const MANY_PAGES = 1_500;
const PAGE = 4_096;

test("a change does not copy the log into the file, however long it is; a quiet moment does", async () => {
  const club = await startClub();
  onTestFinished(() => club.stop());
  const { rows } = await sql<{ file: string }>`pragma database_list`.execute(club.db);
  const log = openLogHeader(rows[0]?.file ?? "");
  await sql`create table large (bytes blob)`.execute(club.db);
  const write = (pages: number) =>
    club.transact((tx) => sql`insert into large values (randomblob(${pages * PAGE}))`.execute(tx));
  for (let pages = 0; pages < MANY_PAGES; pages += 100) await write(100);
  expect(log?.pages()).toBeGreaterThan(MANY_PAGES);
  // Once all of it is in the file, the next change begins it anew.
  await vi.waitFor(
    async () => {
      await write(1);
      expect(log?.pages()).toBeLessThan(100);
    },
    { timeout: 20_000, interval: 1_000 },
  );
});
