import { describe, expect, test } from "vitest";
import { isActiveHandshake, relativeAge } from "./handshake.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "./moment.ts";

const now = new Date("2025-03-14T12:00:00Z");
const ago = (ms: number) => now.getTime() - ms;

describe("a handshake", () => {
  test.each([
    ["a moment ago is active", ago(0), true],
    ["five minutes ago is active", ago(5 * MINUTE_MS), true],
    ["a millisecond longer ago is not", ago(5 * MINUTE_MS + 1), false],
    ["from a server whose clock runs ahead is active", ago(-HOUR_MS), true],
    ["that never happened is not active", null, false],
  ])("%s", (_, at, active) => {
    expect(isActiveHandshake(at, now)).toBe(active);
  });

  test.each([
    [null, "never", 0],
    [ago(-HOUR_MS), "seconds", 0],
    [ago(0), "seconds", 0],
    [ago(59_999), "seconds", 59],
    [ago(MINUTE_MS), "minutes", 1],
    [ago(HOUR_MS - 1), "minutes", 59],
    [ago(HOUR_MS), "hours", 1],
    [ago(DAY_MS - SECOND_MS), "hours", 23],
    [ago(DAY_MS), "days", 1],
    [ago(400 * DAY_MS), "days", 400],
  ])("at %s is shown in %s: %i", (at, unit, count) => {
    expect(relativeAge(at, now)).toEqual({ unit, count });
  });
});
