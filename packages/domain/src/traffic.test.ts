import { describe, expect, test } from "vitest";
import { daysUpTo, formatBytes } from "./traffic.ts";

describe("an amount of bytes", () => {
  test.each([
    [0, "0 B"],
    [1, "1 B"],
    [1023, "1023 B"],
    [1024, "1.0 KB"],
    [1536, "1.5 KB"],
    [1024 ** 2 - 1, "1.0 MB"],
    [1023.9 * 1024, "1023.9 KB"],
    [1024 ** 2, "1.0 MB"],
    [5.25 * 1024 ** 3, "5.3 GB"],
    [1024 ** 4, "1.0 TB"],
    [5000 * 1024 ** 4, "5000.0 TB"],
    [2 ** 64, "16777216.0 TB"],
    [-5, "0 B"],
    [Number.NaN, "0 B"],
    [Number.POSITIVE_INFINITY, "0 B"],
  ])("of %d reads %s", (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });

  test("takes the language's decimal separator", () => {
    expect(formatBytes(1536, ",")).toBe("1,5 KB");
  });
});

test.each([
  ["2026-03-02", 3, ["2026-02-28", "2026-03-01", "2026-03-02"]],
  ["2028-03-01", 2, ["2028-02-29", "2028-03-01"]],
  ["2027-01-01", 2, ["2026-12-31", "2027-01-01"]],
  ["2026-11-21", 1, ["2026-11-21"]],
])("the days up to %s, %i of them", (today, count, days) => {
  expect(daysUpTo(today, count)).toEqual(days);
});
