import { expect, test, vi } from "vitest";
import { DatabaseTrouble } from "./database/trouble.ts";
import { makePursuits } from "./pursuits.ts";

test("work is begun once at a time for each id, and a stop waits for what is under way and begins nothing", async () => {
  const ends = new Map<string, () => void>();
  const begun: string[] = [];
  const pursuits = makePursuits({ error: vi.fn() } as never, "failed", (id) => {
    begun.push(id);
    return new Promise((resolve) => ends.set(id, resolve));
  });
  for (const id of ["a", "a", "b"]) pursuits.pursue(id);
  expect(begun).toEqual(["a", "b"]);
  const first = pursuits.underWay("a");
  ends.get("a")?.();
  await first;
  expect(pursuits.underWay("a")).toBeUndefined();
  pursuits.pursue("a");
  expect(begun).toEqual(["a", "b", "a"]);
  let isStopped = false;
  const stopped = pursuits.stop().then(() => {
    isStopped = true;
  });
  expect(pursuits.signal.aborted).toBe(true);
  pursuits.pursue("c");
  ends.get("a")?.();
  await Promise.resolve();
  expect([begun, isStopped]).toEqual([["a", "b", "a"], false]);
  ends.get("b")?.();
  await stopped;
});

test("what work throws is logged, a database's trouble is not, and it may be begun again", async () => {
  const error = vi.fn();
  let thrown: Error = new Error("broken");
  const pursuits = makePursuits({ error } as never, "it failed", () => Promise.reject(thrown));
  pursuits.pursue("a");
  await pursuits.underWay("a");
  expect(error.mock.calls).toEqual([[{ err: thrown }, "it failed"]]);
  thrown = new DatabaseTrouble("away");
  pursuits.pursue("a");
  await pursuits.underWay("a");
  expect(error).toHaveBeenCalledTimes(1);
});
