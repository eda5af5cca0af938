import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { makeEndWork, STEPS_BY_MS } from "./end-work.ts";
import type { Log } from "./platform/log.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const FOREVER = new Promise<void>(() => {});

/** The steps that were started, in order. `failing`: the parts that fail to end. `hanging`: those that never do. */
function working({ failing = [], hanging = [] }: { failing?: readonly string[]; hanging?: readonly string[] } = {}) {
  const ended: string[] = [];
  const [error, warn] = [vi.fn(), vi.fn()];
  const end = (name: string) => async () => {
    ended.push(name);
    if (failing.includes(name)) throw new Error(name);
    if (hanging.includes(name)) await FOREVER;
  };
  const endWork = makeEndWork({
    schedule: { stop: end("schedule") },
    features: [{ stop: end("bot") }, {}, { stop: end("webhooks") }],
    jobs: { stop: end("jobs") },
    readCounters: end("counters"),
    heldLeases: { release: end("leases") },
    log: { error, warn } as unknown as Log,
  });
  const database = { close: end("database") };
  const left = () => warn.mock.calls.map(([{ step }]) => step);
  return { ended, error, endWork, database, left };
}
const WORK = ["schedule", "bot", "webhooks", "jobs", "counters", "leases"];
const ALL = [...WORK, "database"];

test("work ends once, jobs after the requests that wait for theirs, and the database last", async () => {
  const { ended, endWork, database } = working();
  let close = () => {};
  const answers = new Promise<void>((resolve) => {
    close = resolve;
  });
  const both = [endWork({ answers, database }), endWork()];
  await vi.advanceTimersByTimeAsync(0);
  expect(ended).toEqual(["schedule", "bot", "webhooks"]);
  close();
  await Promise.all(both);
  expect(ended).toEqual(ALL);
});

test("a panel replaced by another ends its work and keeps its database open until it is stopped", async () => {
  const { ended, endWork, database } = working();
  await endWork();
  expect(ended).toEqual(WORK);
  await vi.advanceTimersByTimeAsync(60_000);
  await endWork({ answers: Promise.resolve(), database });
  expect(ended).toEqual(ALL);
});

test("whatever hangs, every step is started in order, and all is over within the limit", async () => {
  const { ended, endWork, database, left } = working({ hanging: ALL });
  let isOver = false;
  void endWork({ answers: FOREVER, database }).then(() => {
    isOver = true;
  });
  await vi.advanceTimersByTimeAsync(STEPS_BY_MS.database - 1);
  expect([ended, isOver]).toEqual([ALL, false]);
  await vi.advanceTimersByTimeAsync(1);
  expect(isOver).toBe(true);
  expect([...new Set(left())]).toEqual(["answers", "jobs", "counters", "leases", "database"]);
});

test("a step leaves its unused time to the next: a slow job after quick answers is waited for", async () => {
  const { endWork, database, left } = working({ hanging: ["jobs"] });
  let isOver = false;
  void endWork({ answers: Promise.resolve(), database }).then(() => {
    isOver = true;
  });
  await vi.advanceTimersByTimeAsync(STEPS_BY_MS.jobs - 1);
  expect(isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(isOver).toBe(true);
  expect(left()).toEqual(["jobs"]);
});

test.each(["bot", "jobs", "counters", "leases"])(
  "%s that fails to end keeps nothing else from ending",
  async (name) => {
    const { ended, endWork } = working({ failing: [name] });
    await endWork();
    expect(ended).toEqual(WORK);
  },
);

test("a part that fails to end is reported; counters and leases may fail silently if nothing answers any more", async () => {
  const { error, endWork } = working({ failing: ["bot", "counters", "leases"] });
  await endWork();
  expect(error.mock.calls.map(([{ err }]) => err.message)).toEqual(["bot"]);
});
