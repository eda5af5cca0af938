import { expect, test } from "vitest";
import { makeWaits } from "./waits.ts";

const START = Date.parse("2026-01-01T00:00:00Z");

/** How long each of the next failures delays a server, in whole seconds. */
function waitsAfter(failures: number, draw: () => number) {
  let now = START;
  const waits = makeWaits({ now: () => new Date(now) }, draw);
  return Array.from({ length: failures }, () => {
    waits.failed("a");
    const began = now;
    while (waits.isWaiting("a")) now += 1_000;
    return (now - began) / 1_000;
  });
}

test("a server that keeps failing is left alone for longer each time, up to five minutes", () => {
  expect(waitsAfter(6, () => 0)).toEqual([30, 60, 120, 240, 300, 300]);
  expect(waitsAfter(6, () => 1)).toEqual([15, 30, 60, 120, 150, 150]);
});

test("each server waits by itself, and no longer once it has answered", () => {
  let now = START;
  const waits = makeWaits({ now: () => new Date(now) });
  for (let times = 0; times < 5; times += 1) waits.failed("a");
  expect([waits.isWaiting("a"), waits.isWaiting("b")]).toEqual([true, false]);
  now -= 60 * 60_000;
  expect(waits.isWaiting("a")).toBe(false);
  now = START;
  waits.answered("a");
  expect(waits.isWaiting("a")).toBe(false);
  waits.failed("a");
  now += 30_000;
  expect(waits.isWaiting("a")).toBe(false);
});
