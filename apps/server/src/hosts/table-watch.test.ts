import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Listener, Machine } from "./machine.ts";
import { watchTable } from "./table-watch.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watched() {
  const listeners: Listener[] = [];
  let restored = 0;
  const machine = {
    follow(_program: string, _args: readonly string[], listener: Listener) {
      listeners.push(listener);
      return { stop() {} };
    },
  } as unknown as Machine;
  const watch = watchTable(machine, async () => void restored++);
  watch.start();
  return { watch, listeners, restored: () => restored };
}

test("a reported deletion is handled at once, several of them once", async () => {
  const { listeners, restored } = watched();
  for (const what of ["rule", "chain"]) listeners[0]?.onLine(`delete ${what} inet krug from_members`);
  listeners[0]?.onLine("delete table inet another");
  await vi.advanceTimersByTimeAsync(100);
  expect(restored()).toBe(1);
});

test("deletions before the watch listened are checked for soon after", async () => {
  const { restored } = watched();
  await vi.advanceTimersByTimeAsync(3_000);
  expect(restored()).toBe(1);
});

test("a watch that ends is restarted, and deletions meanwhile are checked for", async () => {
  const { listeners, restored } = watched();
  listeners[0]?.onEnd();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(listeners).toHaveLength(2);
  expect(restored()).toBe(1);
  for (let n = 1; n < 20; n++) {
    listeners.at(-1)?.onEnd();
    await vi.advanceTimersByTimeAsync(6_000);
  }
  expect(listeners).toHaveLength(21);
});

test("a stopped watch checks nothing more", async () => {
  const { watch, listeners, restored } = watched();
  watch.stop();
  await vi.advanceTimersByTimeAsync(10_000);
  expect([listeners.length, restored()]).toEqual([1, 0]);
});
