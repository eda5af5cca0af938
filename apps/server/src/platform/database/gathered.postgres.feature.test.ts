import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Club, startClub } from "../../../testing/start-club.ts";
import type { Tx } from "./database.ts";
import { gathered, makeTogether } from "./gathered.ts";

let club: Club;
beforeAll(async () => {
  club = await startClub();
  await sql`create table written (name text primary key, tx text not null)`.execute(club.db);
});
afterAll(() => club.stop());

test("what several ask for at the same moment is read once; what is asked for later is read again", async () => {
  const reads: string[][] = [];
  const read = gathered(async (_, asks: readonly string[]) => {
    reads.push([...asks]);
    return asks.join();
  });
  expect(await Promise.all(["a", "b", "c"].map((ask) => read(club.db, ask)))).toEqual(["a,b,c", "a,b,c", "a,b,c"]);
  expect(await read(club.db, "d")).toBe("d");
  expect(reads).toEqual([["a", "b", "c"], ["d"]]);
});

const write = async (tx: Tx, names: readonly string[]) => {
  for (const name of names)
    await sql`insert into written (name, tx) values (${name}, pg_current_xact_id()::text)`.execute(tx);
};
const written = async () => {
  const { rows } = await sql<{ name: string; tx: string }>`select name, tx from written order by name`.execute(club.db);
  await sql`delete from written`.execute(club.db);
  return rows;
};

test("several pieces of work that end together are written in one transaction, later ones in the next", async () => {
  const together = makeTogether(club.app.parts, { write });
  const first = ["a", "b"].map(together);
  await first[0];
  await Promise.all([...first, together("c")]);
  const rows = await written();
  expect(rows.map(({ name }) => name)).toEqual(["a", "b", "c"]);
  expect(new Set(rows.map(({ tx }) => tx)).size).toBe(2);
});

test("one that cannot be written fails alone", async () => {
  const together = makeTogether(club.app.parts, { write });
  const ends = await Promise.allSettled(["a", "b", "b", "c"].map(together));
  expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
  expect((await written()).map(({ name }) => name)).toEqual(["a", "b", "c"]);
});
