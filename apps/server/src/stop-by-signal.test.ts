import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { stopBySignal } from "./stop-by-signal.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const forever = () => new Promise<void>(() => {});

/** `signal` is the panel's reaction to one. */
function aPanel(stop: () => Promise<void>) {
  const exits: number[] = [];
  return { exits, signal: stopBySignal(stop, (code) => exits.push(code)) };
}

test("a signal stops the panel in order, and it exits with 0", async () => {
  const stop = vi.fn(async () => {});
  const { exits, signal } = aPanel(stop);
  signal();
  await vi.advanceTimersByTimeAsync(0);
  expect([stop.mock.calls.length, exits]).toEqual([1, [0]]);
});

test("a second signal ends it at once, but not npm's copy of the terminal's signal", () => {
  const stop = vi.fn(forever);
  const { exits, signal } = aPanel(stop);
  signal();
  signal();
  vi.advanceTimersByTime(400);
  signal();
  expect(exits).toEqual([]); // it still waits for the answer
  vi.advanceTimersByTime(200);
  signal();
  expect([stop.mock.calls.length, exits]).toEqual([1, [1]]);
});

test("a stop that hangs exits with 1 within five seconds", () => {
  const { exits, signal } = aPanel(forever);
  signal();
  vi.advanceTimersByTime(4_000);
  expect(exits).toEqual([]);
  vi.advanceTimersByTime(999);
  expect(exits).toEqual([1]);
});

test("a stop that fails exits with 1 and says why", async () => {
  const said = vi.spyOn(console, "error").mockImplementation(() => {});
  const { exits, signal } = aPanel(() => Promise.reject(new Error("the disk is gone")));
  signal();
  await vi.advanceTimersByTimeAsync(0);
  expect([exits, String(said.mock.lastCall)]).toEqual([[1], "Error: the disk is gone"]);
  said.mockRestore();
});
