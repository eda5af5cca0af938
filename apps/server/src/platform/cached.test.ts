import { beforeEach, expect, test, vi } from "vitest";
import { type Cached, makeCached } from "./cached.ts";
import type { Db, Tx } from "./database/database.ts";
import type { Signals } from "./signals.ts";

const DB = { isTransaction: false } as Db;
const TX = { isTransaction: true } as Tx;

/** Signals whose transactions commit when the test says so. */
function makeSaid() {
  const heard = new Map<string, () => unknown>();
  let waiting: string[] = [];
  const signals: Signals = {
    send: (_, topic) => void waiting.push(topic),
    on: (topic, hear) => void heard.set(topic, () => hear([])),
    onGap: (hear) => void heard.set("gap", hear),
  };
  const commit = () => {
    for (const topic of waiting) heard.get(topic)?.();
    waiting = [];
  };
  return { signals, commit, gap: () => heard.get("gap")?.() };
}

let said: ReturnType<typeof makeSaid>;
let asked: number;
let value: string;
let kept: Cached<string>;
beforeEach(() => {
  said = makeSaid();
  asked = 0;
  value = "first";
  kept = makeCached(said.signals, "topic", async () => {
    asked += 1;
    return value;
  });
});

test("the database is queried once, also for simultaneous calls", async () => {
  expect(await Promise.all([kept.read(DB), kept.read(DB)])).toEqual(["first", "first"]);
  expect(await kept.read(DB)).toBe("first");
  expect(asked).toBe(1);
});

test("a change shows once it is committed, and a gap in the panels' messages counts as one", async () => {
  await kept.read(DB);
  value = "second";
  kept.changed(TX);
  expect(await kept.read(DB)).toBe("first");
  said.commit();
  expect(await kept.read(DB)).toBe("second");
  value = "third";
  said.gap();
  expect(await kept.read(DB)).toBe("third");
});

test("an answer that was on its way while the value changed is not cached", async () => {
  let answer = (_: string) => {};
  const slow = makeCached(said.signals, "topic", () => new Promise<string>((done) => (answer = done)));
  const before = slow.read(DB);
  slow.changed(TX);
  said.commit();
  answer("before");
  expect(await before).toBe("before");
  const after = slow.read(DB);
  answer("after");
  expect(await after).toBe("after");
});

test("a transaction queries the database each time", async () => {
  await kept.read(DB);
  value = "second";
  expect([await kept.read(TX), await kept.read(TX)]).toEqual(["second", "second"]);
  expect(asked).toBe(3);
});

test("an answer that says the same stays the same object, and one that doesn't never does", async () => {
  let rows: readonly object[] = [{ price: 1 }];
  const list = makeCached(said.signals, "topic", async () => structuredClone(rows));
  const again = () => {
    said.gap();
    return list.read(DB);
  };
  const first = await list.read(DB);
  expect(await again()).toBe(first);
  rows = [{ price: 2 }];
  const second = await again();
  expect(second).toEqual(rows);
  expect(await again()).toBe(second);
});

test("what is in memory is known at once, until it is older than it may be or has changed", async () => {
  expect(kept.latest()).toBeUndefined();
  const read = kept.read(DB);
  expect(kept.latest()).toBeUndefined();
  await read;
  expect(kept.latest()).toBe("first");
  const { now } = performance;
  const later = vi.spyOn(performance, "now").mockImplementation(() => now.call(performance) + 1_001);
  expect(kept.latest()).toBeUndefined();
  later.mockRestore();
  value = "second";
  kept.changed(TX);
  expect(kept.latest()).toBe("first");
  said.commit();
  expect(kept.latest()).toBeUndefined();
});

test("a query that failed is repeated", async () => {
  let fails = true;
  const unsure = makeCached(said.signals, "topic", async () => {
    if (fails) throw new Error("away");
    return "there";
  });
  await expect(unsure.read(DB)).rejects.toThrow("away");
  fails = false;
  expect(await unsure.read(DB)).toBe("there");
});
