import { expect, test } from "vitest";
import { passedBetween } from "./passed.ts";

const MINUTE_MS = 60_000;
const before = { at: 1_000_000_000, cpu_idle: 9_000, cpu_total: 10_000, network_in: 50_000, network_out: 70_000 };
const now = {
  at: before.at + 5 * MINUTE_MS,
  cpu_idle: 9_750,
  cpu_total: 11_000,
  network_in: 650_000,
  network_out: 70_000,
  startedAt: 0,
};

test("the result is the counters' growth, over the time between", () => {
  expect(passedBetween(before, now)).toEqual({ since: before.at, cpu: 250, received: 2_000, sent: 0 });
});

test("a machine that started in between counts from its start", () => {
  const startedAt = now.at - MINUTE_MS;
  const counters = { cpu_idle: 100, cpu_total: 400, network_in: 60_000, network_out: 120_000 };
  expect(passedBetween(before, { ...now, ...counters, startedAt })).toEqual({
    since: startedAt,
    cpu: 750,
    received: 1_000,
    sent: 2_000,
  });
});

test("a recreated network device takes nothing off the count", () => {
  expect(passedBetween(before, { ...now, network_in: 30_000 })?.received).toBe(100);
});

test.each([
  ["nothing was read before", undefined, now],
  ["the last reading is old: nobody saw most of the time since", { ...before, at: before.at - 60 * MINUTE_MS }, now],
  ["the panel's clock was set back", { ...before, at: now.at + MINUTE_MS }, now],
])("there is no result if %s", (_, earlier, later) => {
  expect(passedBetween(earlier, later)).toBeNull();
});
