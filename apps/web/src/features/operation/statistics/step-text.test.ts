import { expect, test } from "vitest";
import { isRunning } from "./step-text.ts";

const at = Date.parse("2026-11-22T21:40:00Z");

test.each([
  ["2026-11-23T00:00", "hour", "Europe/Moscow", true],
  ["2026-11-22T23:00", "hour", "Europe/Moscow", false],
  ["2026-11-22T21:00", "hour", "UTC", true],
  ["2026-11-23", "day", "Europe/Moscow", true],
  ["2026-11-22", "day", "Europe/Moscow", false],
  ["2026-11", "month", "America/New_York", true],
  ["2026-10", "month", "America/New_York", false],
] as const)("%s, a %s of the clock in %s, still runs: %s", (step, kind, zone, runs) => {
  expect(isRunning(step, kind, zone, at)).toBe(runs);
});
