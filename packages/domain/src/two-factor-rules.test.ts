import { describe, expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS } from "./moment.ts";
import {
  isElevated,
  isTwoFactorCode,
  twoFactorDigits,
  twoFactorLock,
  twoFactorRetryAfter,
} from "./two-factor-rules.ts";

const now = new Date("2025-03-14T12:00:00Z");
const ago = (ms: number) => now.getTime() - ms;

describe("a two-factor code", () => {
  test.each([
    ["123 456", "123456"],
    ["12-34-56-78", "123456"],
    ["abc", ""],
    ["１２３456", "456"],
  ])("typed as %j has the digits %j", (typed, digits) => {
    expect(twoFactorDigits(typed)).toBe(digits);
  });

  test.each([
    ["123456", true],
    ["000000", true],
    ["12345", false],
    ["1234567", false],
    ["12345a", false],
    ["123456\n", false],
    ["１２３４５６", false],
  ])("%j: %s", (text, is) => {
    expect(isTwoFactorCode(text)).toBe(is);
  });
});

describe("wrong codes in a row", () => {
  test.each([
    [0, 0],
    [1, 0],
    [2, 0],
    [3, 10_000],
    [4, 0],
    [5, 0],
    [6, 20_000],
    [9, 40_000],
    [27, 2_560_000],
    [30, HOUR_MS],
    [3000, HOUR_MS],
    [30_000, HOUR_MS],
  ])("the %ith locks for %i ms", (count, ms) => {
    expect(twoFactorLock(count)).toBe(ms);
  });

  test.each([
    ["none: no wait", { count: 0, lastWrongAt: null }, 0],
    ["two: no wait", { count: 2, lastWrongAt: ago(0) }, 0],
    ["three, just now: ten seconds", { count: 3, lastWrongAt: ago(0) }, 10_000],
    ["three, four seconds ago: six more", { count: 3, lastWrongAt: ago(4000) }, 6000],
    ["three, ten seconds ago: no wait", { count: 3, lastWrongAt: ago(10_000) }, 0],
  ])("%s", (_, wrong, ms) => {
    expect(twoFactorRetryAfter(wrong, now)).toBe(ms);
  });
});

describe("a staff session", () => {
  test.each([
    ["is not elevated before a code", null, false],
    ["is elevated after a code", { elevatedAt: ago(0), lastActAt: ago(0) }, true],
    ["stays elevated while someone works", { elevatedAt: ago(11 * HOUR_MS), lastActAt: ago(29 * MINUTE_MS) }, true],
    [
      "is not elevated after 30 minutes without activity",
      { elevatedAt: ago(HOUR_MS), lastActAt: ago(30 * MINUTE_MS) },
      false,
    ],
    ["is not elevated after 12 hours, however busy", { elevatedAt: ago(12 * HOUR_MS), lastActAt: ago(0) }, false],
  ])("%s", (_, elevation, is) => {
    expect(isElevated(elevation, now)).toBe(is);
  });
});
