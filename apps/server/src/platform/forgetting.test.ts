import { DAY_MS, HOUR_MS } from "@krug/domain/moment";
import { expect, test } from "vitest";
import { judge } from "./forgetting.ts";

const START = Date.parse("2026-11-27T00:00:00Z");
const YEAR_MS = 365 * DAY_MS;

/** Which of these moments, one after the other, are believed. */
function believed(...moments: number[]): boolean[] {
  let row = judge(undefined, START);
  return moments.map((now) => {
    row = judge(row, now);
    return row.doubted_since === null;
  });
}
const hoursFrom = (from: number, count: number) => Array.from({ length: count }, (_, hour) => from + hour * HOUR_MS);

test("a clock that only advances is believed", () => {
  expect(believed(...hoursFrom(START, 30))).not.toContain(false);
});

test("a clock that jumped ahead is doubted until it has gone on for a day: the panel was off for that long", () => {
  const hours = believed(...hoursFrom(START + YEAR_MS, 25));
  expect(hours.indexOf(true)).toBe(24);
});

test("a jump in the middle of the doubt begins another day, and so does a pause longer than a day", () => {
  const [first, second] = [hoursFrom(START + YEAR_MS, 20), hoursFrom(START + 2 * YEAR_MS, 20)];
  expect(believed(...first, ...second)).not.toContain(true);
  expect(believed(START + YEAR_MS, START + YEAR_MS + 2 * DAY_MS)).toEqual([false, false]);
});

test("a corrected clock is believed at once, and the same jump is doubted again", () => {
  expect(believed(START + YEAR_MS, START + HOUR_MS, START + YEAR_MS + HOUR_MS)).toEqual([false, true, false]);
});

test("of two panels the one that is ahead is never believed", () => {
  const turns = hoursFrom(START, 60).flatMap((now) => [now + YEAR_MS, now]);
  expect(believed(...turns).filter((_, turn) => turn % 2 === 0)).not.toContain(true);
});
