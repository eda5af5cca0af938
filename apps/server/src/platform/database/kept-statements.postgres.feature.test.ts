import { sql } from "kysely";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { type Club, startClub } from "../../../testing/start-club.ts";
import type { Db, Tx } from "./database.ts";

/** More than a pool has connections, for each to have been asked often enough. */
const OFTEN = 200;

let club: Club;
beforeEach(async () => {
  club = await startClub();
  onTestFinished(() => club.stop());
  await sql`create table things (name text)`.execute(club.db);
  await sql`insert into things values ('a')`.execute(club.db);
});

const read = async (over: Db | Tx) =>
  (await sql<{ name: string }>`select * from things where name = ${"a"}`.execute(over)).rows;

test("the server keeps a frequent statement, and its plan", async () => {
  const kept = () =>
    club.db.connection().execute(async (connection) => {
      for (let time = 0; time < OFTEN; time += 1) await read(connection);
      return sql<{ plans: number }>`select (generic_plans + custom_plans)::int as plans from pg_prepared_statements
        where statement like '%from things where%'`.execute(connection);
    });
  const [statement] = (await kept()).rows;
  expect(statement?.plans).toBeGreaterThan(100);
});

test("a statement whose table an upgrade has changed is planned again, also in the middle of a transaction", async () => {
  for (let time = 0; time < OFTEN; time += 1) await Promise.all([read(club.db), read(club.db)]);
  await sql`alter table things add column colour text`.execute(club.db);
  expect(await read(club.db)).toEqual([{ name: "a", colour: null }]);

  for (let time = 0; time < OFTEN; time += 1) await club.transact((tx) => read(tx));
  await sql`alter table things add column size text`.execute(club.db);
  const rows = await club.transact(async (tx) => {
    await sql`insert into things (name) values ('b')`.execute(tx);
    return read(tx);
  });
  expect(rows).toEqual([{ name: "a", colour: null, size: null }]);
  const { rows: all } = await sql<{ name: string }>`select name from things order by name`.execute(club.db);
  expect(all.map(({ name }) => name)).toEqual(["a", "b"]);
});
