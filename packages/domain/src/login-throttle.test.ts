import { describe, expect, test } from "vitest";
import { loginDelay, loginRetryAfter } from "./login-throttle.ts";
import { MINUTE_MS } from "./moment.ts";

const now = new Date("2025-03-14T12:00:00Z");

describe("wrong passwords", () => {
  test.each([
    [0, 0],
    [4, 0],
    [5, 1000],
    [6, 2000],
    [10, 32_000],
    [14, 512_000],
    [15, 15 * MINUTE_MS],
    [100_000, 15 * MINUTE_MS],
  ])("after %i of them the next try waits %i ms", (failures, ms) => {
    expect(loginDelay(failures)).toBe(ms);
    expect(loginRetryAfter({ failures, lastFailureAt: now.getTime() }, now)).toBe(ms);
  });

  test("the wait always ends, so nobody is locked out permanently", () => {
    expect(loginRetryAfter({ failures: 7, lastFailureAt: now.getTime() - 1000 }, now)).toBe(3000);
    expect(loginRetryAfter({ failures: 1000, lastFailureAt: now.getTime() - 15 * MINUTE_MS }, now)).toBe(0);
    expect(loginRetryAfter({ failures: 0, lastFailureAt: null }, now)).toBe(0);
  });
});
