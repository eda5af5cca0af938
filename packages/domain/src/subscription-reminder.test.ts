import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "./moment.ts";
import { type EndingSubscription, endsWorthALook, reminderStage } from "./subscription-reminder.ts";

const NOW = Date.parse("2026-11-21T09:00:00Z");
const ending = (inMs: number, about: Partial<EndingSubscription> = {}): EndingSubscription => ({
  isActive: true,
  isUnlimited: false,
  referralEarned: false,
  isTrial: false,
  subscriptionEnd: NOW + inMs,
  graceHours: 0,
  ...about,
});

test.each([
  ["more than three days before: nothing", 3 * DAY_MS + 1, null],
  ["three days before: it ends in three days", 3 * DAY_MS, "three_days"],
  ["a little more than a day before: the same", DAY_MS + 1, "three_days"],
  ["a day before: it ends within a day", DAY_MS, "one_day"],
  ["at the last moment: the same", 1, "one_day"],
  ["from its end: it has ended", 0, "ended"],
  ["three days after: the same", -3 * DAY_MS, "ended"],
  ["later: nothing", -3 * DAY_MS - 1, null],
] as const)("%s", (_, inMs, stage) => {
  expect(reminderStage(ending(inMs), NOW)).toBe(stage);
});

test.each([
  ["blocked", { isActive: false }],
  ["unlimited", { isUnlimited: true }],
  ["kept by friends", { referralEarned: true }],
] as const)("a member who is %s gets no reminder of an end", (_, about) => {
  for (const inMs of [2 * DAY_MS, HOUR_MS, -HOUR_MS]) expect(reminderStage(ending(inMs, about), NOW)).toBeNull();
});

test("a trial is announced on its last day, not when it begins", () => {
  expect(reminderStage(ending(3 * DAY_MS, { isTrial: true }), NOW)).toBeNull();
  expect(reminderStage(ending(DAY_MS, { isTrial: true }), NOW)).toBe("one_day");
});

test("during the grace hours nothing has ended yet", () => {
  expect(reminderStage(ending(-HOUR_MS, { graceHours: 2 }), NOW)).toBeNull();
  expect(reminderStage(ending(-2 * HOUR_MS, { graceHours: 2 }), NOW)).toBe("ended");
});

test("the queried range covers everyone who may need a notice", () => {
  for (const graceHours of [0, 5])
    for (let hours = -120; hours <= 120; hours++) {
      const one = ending(hours * HOUR_MS, { graceHours });
      const { from, to } = endsWorthALook(NOW, graceHours);
      if (reminderStage(one, NOW) !== null)
        expect(one.subscriptionEnd >= from && one.subscriptionEnd <= to, String(hours)).toBe(true);
    }
});
