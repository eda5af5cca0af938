import { expect, test, vi } from "vitest";
import { makeEndWork } from "./end-work.ts";
import type { Log } from "./platform/log.ts";

/** What ended, in order. `failing`: the parts that fail to. */
function working(failing: readonly string[] = []) {
  const ended: string[] = [];
  const error = vi.fn();
  const end = (name: string) => async () => {
    ended.push(name);
    if (failing.includes(name)) throw new Error(name);
  };
  const endWork = makeEndWork({
    schedule: { stop: () => void ended.push("schedule") },
    features: [{ stop: end("bot") }, {}, { stop: end("webhooks") }],
    jobs: { stop: end("jobs") },
    readCounters: end("counters"),
    heldLeases: { release: end("leases") },
    log: { error } as unknown as Log,
  });
  return { ended, error, endWork };
}
const ALL = ["schedule", "bot", "webhooks", "jobs", "counters", "leases"];

test("work ends once, jobs after the requests that wait for theirs", async () => {
  const { ended, endWork } = working();
  let close = () => {};
  const closing = new Promise<void>((resolve) => {
    close = resolve;
  });
  const both = [endWork(closing), endWork()];
  await new Promise(setImmediate);
  expect(ended).toEqual(["schedule", "bot", "webhooks"]);
  close();
  await Promise.all(both);
  expect(ended).toEqual(ALL);
});

test.each(["bot", "jobs", "counters", "leases"])(
  "%s that fails to end keeps nothing else from ending",
  async (name) => {
    const { ended, endWork } = working([name]);
    await endWork();
    expect(ended).toEqual(ALL);
  },
);

test("a part that fails to end is told; counters and leases may, where nothing answers any more", async () => {
  const { error, endWork } = working(["bot", "counters", "leases"]);
  await endWork();
  expect(error.mock.calls.map(([{ err }]) => err.message)).toEqual(["bot"]);
});
