import { expect, test } from "vitest";
import { DAY_MS } from "./moment.ts";
import { markableFrom, weekOf } from "./outdated-files.ts";

const day = (number: number) => number * DAY_MS;
const mark = (marked: number, week: number) => ({ marked_at: day(marked), week_at: day(week) });

test("a file is marked at most once in seven days; one that never was, at once", () => {
  expect(markableFrom(undefined)).toBe(Number.NEGATIVE_INFINITY);
  expect(markableFrom({ marked_at: null, week_at: null })).toBe(Number.NEGATIVE_INFINITY);
  expect(markableFrom(mark(3, 1))).toBe(day(10));
});

test.each<[string, ReturnType<typeof mark>[], number, number]>([
  ["the first mark begins a week", [], 5, 5],
  ["another device's mark belongs to the week that runs", [mark(0, 0)], 5, 0],
  ["after seven days a new one begins", [mark(0, 0)], 7, 7],
  ["also if another device was marked in the last days of the former", [mark(0, 0), mark(5, 0)], 7, 7],
  ["which then runs seven days", [mark(7, 7), mark(5, 0)], 12, 7],
])("one notice a week: %s", (_, marks, now, week) => {
  expect(weekOf(marks, day(now))).toBe(day(week));
});
