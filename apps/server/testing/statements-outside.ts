import { sql } from "kysely";
import { vi } from "vitest";
import { type Db, isPostgres, readerOf } from "../src/platform/database/database.ts";

/** The fewest statements outside transactions in several tries: caches refresh every second, and jobs may run meanwhile. */
export async function statementsOutside(db: Db, act: () => Promise<unknown>, tries = 10): Promise<number> {
  const reader = isPostgres(db) ? undefined : await vi.waitUntil(() => readerOf(db));
  const watched = [vi.spyOn(db.getExecutor(), "executeQuery"), ...(reader ? [vi.spyOn(reader, "read")] : [])];
  const asked = () => watched.reduce((sum, { mock }) => sum + mock.calls.length, 0);
  const counts: number[] = [];
  for (let tried = 0; tried < tries; tried++) {
    const before = asked();
    await act();
    counts.push(asked() - before);
  }
  for (const spy of watched) spy.mockRestore();
  return Math.min(...counts);
}

/** Goes through a connection like a write: SQLite then trusts no earlier answer. */
export const asIfChanged = (db: Db) => sql`select 1`.execute(db);
