import { sql } from "kysely";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { type Club, startClub } from "../../../testing/start-club.ts";
import type { Tx } from "./database.ts";

/** More than all of a panel's connections. */
const MANY = 15;

let club: Club;
beforeEach(async () => {
  club = await startClub();
  onTestFinished(() => club.stop());
});

/** A transaction that stays open after `work` until `end` is called. */
async function held(work: (tx: Tx) => Promise<unknown>) {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let over: Promise<void> = Promise.resolve();
  await new Promise<void>((begun) => {
    over = club.transact(async (tx) => {
      await work(tx);
      begun();
      await ended;
    });
  });
  return () => {
    end();
    return over;
  };
}

const waiting = async () => {
  const { rows } = await sql`select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(club.db);
  return rows.length;
};

test("callers who wait for the database do not hold up the panel's own work", async () => {
  const boris = await club.member();
  const letGo = await held((tx) => sql`lock table support_messages in access exclusive mode`.execute(tx));
  const calls = Array.from({ length: MANY }, () => club.as(boris).send("GET", "/api/support/messages"));
  await vi.waitFor(async () => expect(await waiting()).toBeGreaterThan(1), 10_000);
  await club.transact((tx) => sql`insert into settings (name, value, changed_at) values ('a', '0', 0)`.execute(tx));
  await letGo();
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(Array(MANY).fill(200));
});

test("the panel's own work does not hold up callers", async () => {
  const boris = await club.member();
  const letGo = await held((tx) => sql`lock table support_messages in access exclusive mode`.execute(tx));
  const work = Array.from({ length: MANY }, () => sql`select 1 from support_messages limit 1`.execute(club.db));
  await vi.waitFor(async () => expect((await club.as(boris).send("GET", "/api/inbox/unread")).status).toBe(200));
  await letGo();
  await Promise.all(work);
});
