import { describe, expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "./moment.ts";
import { DELIVERY_WAITS_AT_MOST_MS, isGivenUp, pauseMs, retryWaitMs } from "./webhook-rules.ts";

const waits = (random: number) => {
  const found: number[] = [];
  for (let tries = 1; ; tries++) {
    const wait = retryWaitMs(tries, null, random);
    if (wait === null) return found;
    found.push(wait);
  }
};

describe("a delivery that fails", () => {
  test("is tried ten times within about a day, each wait longer than the last, whatever the jitter", () => {
    for (const random of [0, 0.5, 1]) {
      const all = waits(random);
      expect(all).toHaveLength(9);
      expect(all.toSorted((a, b) => a - b)).toEqual(all);
      const whole = all.reduce((sum, wait) => sum + wait, 0);
      expect(whole).toBeGreaterThan(22 * HOUR_MS);
      expect(whole).toBeLessThan(28 * HOUR_MS);
      expect(whole).toBeLessThan(DELIVERY_WAITS_AT_MOST_MS);
    }
    expect(waits(0)[0]).toBe(5_000);
    expect(waits(1)[0]).toBe(6_000);
  });

  test("is retried no sooner than the receiver asked, and delayed by that at most half a day", () => {
    expect(retryWaitMs(1, 60_000, 0)).toBe(60_000);
    expect(retryWaitMs(1, 1_000, 0)).toBe(5_000);
    expect(retryWaitMs(1, 365 * DAY_MS, 0)).toBe(12 * HOUR_MS);
    expect(retryWaitMs(10, 60_000, 0)).toBeNull();
  });
});

test("a receiver is paused after three failures in a row, for at most ten minutes unless it asks for more", () => {
  expect([1, 2, 3, 4, 20].map((failures) => pauseMs(failures, null))).toEqual([0, 0, 30_000, 60_000, 10 * MINUTE_MS]);
  expect(pauseMs(1, HOUR_MS)).toBe(HOUR_MS);
  expect(pauseMs(1, DAY_MS)).toBe(12 * HOUR_MS);
});

test("a webhook is given up after three days of failures, and not after a few of them far apart", () => {
  const now = 10 * DAY_MS;
  expect(isGivenUp({ failures: 10, failingSince: now - 3 * DAY_MS, now })).toBe(true);
  expect(isGivenUp({ failures: 10, failingSince: now - 3 * DAY_MS + 1, now })).toBe(false);
  expect(isGivenUp({ failures: 9, failingSince: 0, now })).toBe(false);
});
