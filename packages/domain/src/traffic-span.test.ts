import { expect, test } from "vitest";
import { daysBetween, daysFromTo, monthsBack, monthsFromTo, stepOf } from "./traffic-span.ts";

test.each([
  [1, 0, "hour"],
  [2, 34, "hour"],
  [1, 35, "day"],
  [3, 2, "day"],
  [92, 91, "day"],
  [93, 92, "month"],
  [730, 729, "month"],
] as const)("%i days starting %i days ago are shown by the %s", (days, daysAgo, step) => {
  expect(stepOf(days, daysAgo)).toBe(step);
});

test("days include both ends, across a month's end, a leap day and a clock change", () => {
  expect(daysBetween("2026-11-21", "2026-11-21")).toBe(1);
  expect(daysFromTo("2028-02-28", "2028-03-01")).toEqual(["2028-02-28", "2028-02-29", "2028-03-01"]);
  expect(daysBetween("2026-01-01", "2026-12-31")).toBe(365);
  expect(daysBetween("2026-03-28", "2026-03-30")).toBe(3);
});

test("months are the ones the days fall in, oldest first", () => {
  expect(monthsFromTo("2025-12-31", "2026-02-01")).toEqual(["2025-12", "2026-01", "2026-02"]);
  expect(monthsBack("2026-01-31", 11)).toBe("2025-02-01");
  expect(monthsBack("2026-12-31", 0)).toBe("2026-12-01");
});
