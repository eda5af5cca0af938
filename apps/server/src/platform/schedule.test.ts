import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Leases } from "./leases.ts";
import type { Log } from "./log.ts";
import { makeSchedule } from "./schedule.ts";

beforeEach(() => void vi.useFakeTimers({ now: new Date("2026-11-26T09:00:00.500Z") }));
afterEach(() => void vi.useRealTimers());

const MINUTE_MS = 60_000;
const aLog = () => ({ error: vi.fn() });
const make = (log = aLog(), leases: Pick<Leases, "take"> | null = null, isAllowed = true) =>
  makeSchedule(log as unknown as Log, leases as Leases | null, { isAllowed: async () => isAllowed });

test("work is done at its times, from the start until the stop", async () => {
  const schedule = make();
  const [often, seldom] = [vi.fn(async () => {}), vi.fn(async () => {})];
  schedule.add({ name: "often", at: "*/10 * * * * *", run: often });
  schedule.add({ name: "seldom", at: "15 * * * * *", run: seldom });
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect(often).not.toHaveBeenCalled();
  schedule.start();
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect([often.mock.calls.length, seldom.mock.calls.length]).toEqual([6, 1]);
  schedule.stop();
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect([often.mock.calls.length, seldom.mock.calls.length]).toEqual([6, 1]);
});

test("work still running is not started again, and blocks no other work due then", async () => {
  const schedule = make();
  let end = () => {};
  const long = vi.fn(() => new Promise<void>((resolve) => (end = resolve)));
  const short = vi.fn(async () => {});
  schedule.add({ name: "long", at: "*/10 * * * * *", run: long });
  schedule.add({ name: "short", at: "*/10 * * * * *", run: short });
  schedule.start();
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect([long.mock.calls.length, short.mock.calls.length]).toEqual([1, 6]);
  end();
  await vi.advanceTimersByTimeAsync(MINUTE_MS / 6);
  expect([long.mock.calls.length, short.mock.calls.length]).toEqual([2, 7]);
});

test("work that fails is logged by name, stops no other work due then, and is tried again", async () => {
  const log = aLog();
  const schedule = make(log);
  const failing = vi.fn(async () => {
    throw new Error("no");
  });
  const other = vi.fn(async () => {});
  schedule.add({ name: "failing", at: "0 * * * * *", run: failing });
  schedule.add({ name: "other", at: "0 * * * * *", run: other });
  schedule.start();
  await vi.advanceTimersByTimeAsync(2 * MINUTE_MS);
  expect([failing.mock.calls.length, other.mock.calls.length]).toEqual([2, 2]);
  expect(log.error.mock.calls.map(([about]) => about.task)).toEqual(["failing", "failing"]);
});

test("a stop waits for work under way, begins no other, and blames none that fails because of it", async () => {
  const log = aLog();
  let take = (_: boolean) => {};
  let fail = (_: Error) => {};
  const schedule = make(log, { take: () => new Promise((resolve) => (take = resolve)) });
  const long = () => new Promise<void>((_, reject) => (fail = reject));
  const leased = vi.fn(async () => {});
  schedule.add({ name: "long", at: "0 * * * * *", run: long });
  schedule.add({ name: "leased", at: "0 * * * * *", leaseMs: 10_000, run: leased });
  schedule.start();
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  let isOver = false;
  const end = schedule.stop().then(() => {
    isOver = true;
  });
  take(true);
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect([isOver, leased.mock.calls.length]).toEqual([false, 0]);
  fail(new Error("the database is closed"));
  await end;
  expect(log.error).not.toHaveBeenCalled();
});

test("work that deletes for good waits while the clock is doubted, other work does not", async () => {
  for (const isAllowed of [true, false]) {
    const schedule = make(aLog(), null, isAllowed);
    const [forgets, other] = [vi.fn(async () => {}), vi.fn(async () => {})];
    schedule.add({ name: "forgets", at: "*/10 * * * * *", forgets: true, run: forgets });
    schedule.add({ name: "other", at: "*/10 * * * * *", run: other });
    schedule.start();
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    schedule.stop();
    expect([forgets.mock.calls.length, other.mock.calls.length]).toEqual([isAllowed ? 6 : 0, 6]);
  }
});

test("work with a lease is left to the panel that holds it, other work is not", async () => {
  const held: [string, number][] = [];
  const schedule = make(aLog(), {
    take: async (name, forMs) => {
      held.push([name, forMs]);
      return false;
    },
  });
  const [shared, own, elsewhere] = [vi.fn(async () => {}), vi.fn(async () => {}), vi.fn()];
  schedule.add({ name: "shared", at: "0 * * * * *", leaseMs: 10_000, elsewhere, run: shared });
  schedule.add({ name: "own", at: "0 * * * * *", run: own });
  schedule.start();
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect(held).toEqual([["shared", 10_000]]);
  expect([shared, own, elsewhere].map(({ mock }) => mock.calls.length)).toEqual([0, 1, 1]);
});
