import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Club, startClub } from "../../testing/start-club.ts";
import { makeJobs } from "./jobs/make-jobs.ts";
import { jobKind, retryWaitMs } from "./jobs.ts";
import { makeLeases } from "./leases.ts";

let club: Club;
beforeEach(async () => {
  club = await startClub({ localServer: "off" });
});
afterEach(() => club.stop());

const note = jobKind<{ n: number }>("test.note");
const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const runner = (panelId: string) => makeJobs({ ...club.app.parts, log: quiet, panelId });

describe("jobs", () => {
  test("a job of a transaction that was rolled back does not exist", async () => {
    const jobs = runner("a");
    const done: number[] = [];
    jobs.handle(note, async (payloads) => void done.push(...payloads.map((payload) => payload.n)));
    await club
      .transact(async (tx) => {
        await jobs.enqueue(tx, note, { payload: { n: 1 } });
        throw new Error("no");
      })
      .catch(() => {});
    await jobs.drain();
    expect(done).toEqual([]);
  });

  test("two panels on one database never do a job twice and leave none out", async () => {
    const done: string[] = [];
    const panels = ["a", "b", "c"].map((panelId) => {
      const jobs = runner(panelId);
      jobs.handle(note, async (payloads) => {
        await wait(1);
        for (const { n } of payloads) done.push(`${n}`);
      });
      return jobs;
    });
    const [first] = panels;
    if (first === undefined) throw new Error("no panel");
    for (let n = 0; n < 60; n++)
      await club.transact((tx) => first.enqueue(tx, note, { payload: { n }, lane: `lane-${n % 7}` }));
    await Promise.all(panels.map((jobs) => jobs.drain()));
    expect(done.toSorted((a, b) => Number(a) - Number(b))).toEqual(Array.from({ length: 60 }, (_, n) => `${n}`));
  });

  test("a job requested again while it waits runs once; while it runs or after a failure it is queued again", async () => {
    const jobs = runner("a");
    const ask = () =>
      club.transact((tx) => jobs.enqueue(tx, note, { payload: { n: 1 }, lane: "one", unlessWaiting: true }));
    const first = await ask();
    expect(await ask()).toBe(first);
    const other = await club.transact((tx) =>
      jobs.enqueue(tx, note, { payload: { n: 2 }, lane: "another", unlessWaiting: true }),
    );
    expect(other).not.toBe(first);
    const askedWhileRunning: string[] = [];
    const runs: number[] = [];
    jobs.handle(note, async (payloads) => {
      runs.push(...payloads.map((payload) => payload.n));
      if (runs.length === 2) askedWhileRunning.push(await ask());
      if (runs.length === 3) throw new Error("away");
    });
    await jobs.drain();
    expect(askedWhileRunning).not.toContain(first);
    expect(runs.toSorted()).toEqual([1, 1, 2]);
    expect(await ask()).not.toBe(askedWhileRunning[0]);
  });

  test("several may wait for one job, and one who gives up ends nobody else's wait", async () => {
    const jobs = runner("a");
    jobs.handle(note, async () => {});
    const id = await club.transact((tx) => jobs.enqueue(tx, note, { payload: { n: 1 } }));
    const patient = [jobs.settled([id], 10_000), jobs.settled([id, id], 10_000)];
    expect(await jobs.settled([id], 1)).toBe(false);
    await jobs.drain();
    expect(await Promise.all(patient)).toEqual([true, true]);
    expect(await jobs.settled([id], 10_000)).toBe(true);
  });

  test("a handler can finish its jobs in its own transaction: both commit or neither does", async () => {
    const jobs = runner("a");
    const left = async () => (await sql`select id from jobs where kind = 'test.note'`.execute(club.db)).rows.length;
    const seen: number[] = [];
    jobs.handle(note, async (_, end) => {
      await club
        .transact(async (tx) => {
          await end(tx);
          throw new Error("rolled back");
        })
        .catch(() => {});
      seen.push(await left());
      await club.transact(end);
      seen.push(await left());
    });
    const id = await club.transact((tx) => jobs.enqueue(tx, note, { payload: { n: 1 } }));
    const settled = jobs.settled([id], 5_000);
    await jobs.drain();
    expect(seen).toEqual([1, 0]);
    expect(await settled).toBe(true);
  });

  test("work on the panel's own machine starts with the commit that requests it, one piece after the other", async () => {
    const jobs = runner("own");
    const began: number[] = [];
    let underWay = 0;
    jobs.handle(note, async (payloads) => {
      underWay += 1;
      expect(underWay).toBe(1);
      began.push(...payloads.map(({ n }) => n));
      await wait(5);
      underWay -= 1;
    });
    jobs.start();
    try {
      const ask = (n: number) => (tx: Parameters<typeof jobs.enqueue>[0]) =>
        jobs.enqueue(tx, note, { payload: { n }, lane: "machine", panelId: "own" });
      await club.transact(ask(1));
      expect(began).toEqual([1]);
      const both = await club.transact(async (tx) => [await ask(2)(tx), await ask(3)(tx)]);
      const late = await club.transact(ask(4));
      expect(await jobs.settled([...both, late], 5_000)).toBe(true);
      expect(began.toSorted()).toEqual([1, 2, 3, 4]);
    } finally {
      await jobs.stop();
    }
  });

  test("a job that was given up is stored for a week and then deleted", async () => {
    const jobs = runner("a");
    jobs.handle(note, () => Promise.reject(new Error("never")), { maxAttempts: 1 });
    await club.transact((tx) => jobs.enqueue(tx, note, { payload: { n: 1 } }));
    await jobs.drain();
    const kept = async () => (await sql`select id from jobs where kind = 'test.note'`.execute(club.db)).rows.length;
    club.clock.advance(6 * 86_400_000);
    await jobs.forgetOld();
    expect(await kept()).toBe(1);
    club.clock.advance(2 * 86_400_000);
    await jobs.forgetOld();
    expect(await kept()).toBe(0);
  });

  test("a failed job is retried after growing waits, and given up after its last try", async () => {
    const jobs = runner("a");
    let tries = 0;
    jobs.handle(
      note,
      async () => {
        tries++;
        throw new Error("away");
      },
      { maxAttempts: 3 },
    );
    await club.transact((tx) => jobs.enqueue(tx, note, { payload: { n: 1 } }));
    await jobs.drain();
    await jobs.drain();
    expect(tries).toBe(1);
    club.clock.advance(retryWaitMs(1));
    await jobs.drain();
    expect(tries).toBe(2);
    club.clock.advance(retryWaitMs(2) - 1);
    await jobs.drain();
    expect(tries).toBe(2);
    club.clock.advance(1);
    await jobs.drain();
    club.clock.advance(86_400_000);
    await jobs.drain();
    expect(tries).toBe(3);
    expect([retryWaitMs(1), retryWaitMs(4), retryWaitMs(40)]).toEqual([1_000, 8_000, 900_000]);
  });

  test.each(["a job for later", "a second try"])("%s is not late, however seldom an idle panel polls", async (what) => {
    const jobs = runner("a");
    let tries = 0;
    jobs.handle(note, async () => {
      tries++;
      if (what === "a second try" && tries === 1) throw new Error("not yet");
    });
    jobs.start();
    const startedAt = performance.now();
    const afterMs = what === "a job for later" ? 1_000 : 0;
    await club.transact((tx) => jobs.enqueue(tx, note, { payload: { n: 1 }, afterMs }));
    if (afterMs === 0) await expect.poll(async () => (await jobs.status()).failing).toBe(1);
    club.clock.advance(1_000);
    await expect.poll(() => tries, { timeout: 20_000, interval: 20 }).toBe(afterMs === 0 ? 2 : 1);
    // The next timed poll comes after that on SQLite.
    expect(performance.now() - startedAt).toBeLessThan(4_000);
    await jobs.stop();
  });

  test("a job claimed by a killed panel is done by another once its lock expires", async () => {
    const dead = runner("dead");
    dead.handle(note, () => new Promise(() => {}));
    await club.transact((tx) => dead.enqueue(tx, note, { payload: { n: 1 } }));
    dead.start();
    await expect
      .poll(
        async () =>
          (
            await club.db.withTables<{ jobs: { attempts: number } }>().selectFrom("jobs").select("attempts").execute()
          )[0]?.attempts,
      )
      .toBe(1);
    const done: number[] = [];
    const alive = runner("alive");
    alive.handle(note, async (payloads) => void done.push(...payloads.map((payload) => payload.n)));
    await alive.drain();
    expect(done).toEqual([]);
    club.clock.advance(121_000);
    await alive.drain();
    expect(done).toEqual([1]);
  });

  test("only a panel itself does work on its own machine", async () => {
    const done: string[] = [];
    const panels = ["a", "b"].map((panelId) => {
      const jobs = runner(panelId);
      jobs.handle(note, async () => void done.push(panelId));
      return jobs;
    });
    await club.transact(async (tx) => panels[0]?.enqueue(tx, note, { payload: { n: 1 }, panelId: "b" }));
    for (const jobs of panels) await jobs.drain();
    expect(done).toEqual(["b"]);
  });
});

test("a lease has one holder, who may renew it, until it expires", async () => {
  const [a, b] = ["a", "b"].map((panelId) => makeLeases(club.transact, club.clock, panelId));
  const taken = await Promise.all([a?.take("night work", 1_000), b?.take("night work", 1_000)]);
  expect(taken.filter(Boolean)).toHaveLength(1);
  const [holder, other] = taken[0] ? [a, b] : [b, a];
  expect(await holder?.take("night work", 1_000)).toBe(true);
  expect(await other?.take("night work", 1_000)).toBe(false);
  club.clock.advance(1_001);
  expect(await other?.take("night work", 1_000)).toBe(true);
});

describe("transact", () => {
  test("db inside a transaction is caught: it would wait for itself or read stale data", async () => {
    const inside = club.transact(async () => club.app.parts.members.isEmpty(club.db));
    await expect(inside).rejects.toThrow("db was used inside transact");
  });

  test("work scheduled for after the commit does not run without one", async () => {
    const { afterCommit } = await import("./database/database.ts");
    const done: string[] = [];
    await club.transact(async (tx) => afterCommit(tx, () => done.push("committed")));
    await club
      .transact(async (tx) => {
        afterCommit(tx, () => done.push("rolled back"));
        throw new Error("no");
      })
      .catch(() => {});
    expect(done).toEqual(["committed"]);
  });
});
