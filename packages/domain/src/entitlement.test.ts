import { describe, expect, test } from "vitest";
import { type EntitlementStanding, entitlement } from "./entitlement.ts";
import { DAY_MS, HOUR_MS } from "./moment.ts";
import {
  type OwnSubscriptionFacts,
  ownSubscription,
  staffSubscriptionLabel,
  subscriptionLeft,
} from "./subscription-label.ts";

const now = new Date("2025-03-14T12:00:00Z");
const tomorrow = now.getTime() + DAY_MS;
const nextWeek = now.getTime() + 7 * DAY_MS;
const yesterday = now.getTime() - DAY_MS;
const none: EntitlementStanding = {
  isActive: true,
  isUnlimited: false,
  subscriptionEnd: null,
  graceHours: 0,
  referralEarned: false,
  quotaUsedUpUntil: null,
};
const everything = { isUnlimited: true, subscriptionEnd: tomorrow, referralEarned: true };

describe("who may use the VPN now", () => {
  test.each<[string, Partial<EntitlementStanding>, boolean, string, number | null]>([
    ["a blocked member may not, whatever else applies", { ...everything, isActive: false }, false, "blocked", null],
    ["an unlimited member may without end, whatever the date", everything, true, "unlimited", null],
    [
      "unlimited outlives a date that passed",
      { isUnlimited: true, subscriptionEnd: yesterday },
      true,
      "unlimited",
      null,
    ],
    [
      "a subscription that has not ended counts until its end",
      { subscriptionEnd: tomorrow },
      true,
      "subscription",
      tomorrow,
    ],
    [
      "a subscription comes before a referral",
      { subscriptionEnd: tomorrow, referralEarned: true },
      true,
      "subscription",
      tomorrow,
    ],
    [
      "an earned referral takes over when the subscription ends",
      { subscriptionEnd: yesterday, referralEarned: true },
      true,
      "referral",
      null,
    ],
    ["an earned referral needs no subscription", { referralEarned: true }, true, "referral", null],
    ["an ended subscription is expired, with the date", { subscriptionEnd: yesterday }, false, "expired", yesterday],
    ["a member who never had one has none", {}, false, "none", null],
    [
      "the last millisecond still counts",
      { subscriptionEnd: now.getTime() + 1 },
      true,
      "subscription",
      now.getTime() + 1,
    ],
    [
      "a used up quota keeps out until the period ends",
      { subscriptionEnd: nextWeek, quotaUsedUpUntil: tomorrow },
      false,
      "quota",
      tomorrow,
    ],
    [
      "also who is entitled by referral",
      { referralEarned: true, quotaUsedUpUntil: tomorrow },
      false,
      "quota",
      tomorrow,
    ],
    ["also who has no subscription", { quotaUsedUpUntil: tomorrow }, false, "quota", tomorrow],
    ["an unlimited member has no quota", { ...everything, quotaUsedUpUntil: tomorrow }, true, "unlimited", null],
    ["a block comes before the quota", { isActive: false, quotaUsedUpUntil: tomorrow }, false, "blocked", null],
    [
      "with the period the quota starts over",
      { subscriptionEnd: tomorrow, quotaUsedUpUntil: now.getTime() },
      true,
      "subscription",
      tomorrow,
    ],
    ["at the end it is over", { subscriptionEnd: now.getTime() }, false, "expired", now.getTime()],
    [
      "hours of grace keep the access and are not told",
      { subscriptionEnd: yesterday, graceHours: 25 },
      true,
      "subscription",
      yesterday,
    ],
    ["grace ends, too", { subscriptionEnd: yesterday, graceHours: 24 }, false, "expired", yesterday],
    ["grace without a subscription has no effect", { graceHours: 1000 }, false, "none", null],
    ["a subscription that ended in 1970 is expired, not missing", { subscriptionEnd: 0 }, false, "expired", 0],
  ])("%s", (_, standing, allowed, reason, until) => {
    const expected = { allowed, reason, until: until === null ? null : new Date(until) };
    expect(entitlement({ ...none, ...standing }, now)).toEqual(expected);
    expect(entitlement({ ...none, ...standing }, now.getTime())).toEqual(expected);
  });
});

test.each([
  ["a trial of three days has 3 days left at once", 3 * DAY_MS, "days", 3],
  ["and still has when it has just begun", 3 * DAY_MS - 5_000, "days", 3],
  ["two days and an hour are 3 begun days", 2 * DAY_MS + HOUR_MS, "days", 3],
  ["a day and a millisecond are 2 begun days", DAY_MS + 1, "days", 2],
  ["a whole day is no last day", DAY_MS, "days", 1],
  ["on the last day hours are counted", DAY_MS - HOUR_MS, "hours", 23],
  ["the last begun hour", 1, "hours", 1],
  ["in the hours of grace nothing is left", -HOUR_MS, "hours", 0],
])("%s", (_, left, unit, count) => {
  expect(subscriptionLeft(now.getTime() + left, now)).toEqual({ unit, count });
});

describe("how staff see a subscription", () => {
  test.each<[string, Partial<EntitlementStanding>, string, number | null]>([
    ["unlimited", { isUnlimited: true, subscriptionEnd: tomorrow }, "unlimited", null],
    ["a future date", { subscriptionEnd: tomorrow }, "until", tomorrow],
    ["in grace, still the paid date", { subscriptionEnd: yesterday, graceHours: 48 }, "until", yesterday],
    ["by invitations", { referralEarned: true }, "referral", null],
    ["past", { subscriptionEnd: yesterday }, "expired", null],
    ["none", {}, "none", null],
    [
      "with a used up quota, as if it were not",
      { quotaUsedUpUntil: nextWeek, subscriptionEnd: tomorrow },
      "until",
      tomorrow,
    ],
    ["a blocked member's, as if not blocked", { isActive: false, subscriptionEnd: tomorrow }, "until", tomorrow],
  ])("%s", (_, standing, key, date) => {
    const expected = { key, date: date === null ? null : new Date(date) };
    expect(staffSubscriptionLabel({ ...none, ...standing }, now)).toEqual(expected);
  });
});

describe("how members read their own subscription", () => {
  const nothing: OwnSubscriptionFacts = {
    isUnlimited: false,
    isTrial: false,
    isByReferral: false,
    isQuotaUsedUp: false,
    subscriptionEnd: null,
    graceUntil: null,
  };
  const inGrace = { subscriptionEnd: yesterday, graceUntil: tomorrow };
  test.each<[string, Partial<OwnSubscriptionFacts>, object]>([
    ["unlimited, whatever the date", { isUnlimited: true, subscriptionEnd: tomorrow }, { key: "unlimited" }],
    ["until a date", { subscriptionEnd: tomorrow, graceUntil: nextWeek }, { key: "until", end: tomorrow }],
    ["a trial until a date", { isTrial: true, subscriptionEnd: tomorrow }, { key: "trial", end: tomorrow }],
    ["ended, and until when devices work", inGrace, { key: "grace", end: yesterday, until: tomorrow }],
    ["an ended trial too", { ...inGrace, isTrial: true }, { key: "grace", end: yesterday, until: tomorrow }],
    [
      "no devices work once the traffic is used up",
      { ...inGrace, isQuotaUsedUp: true },
      { key: "expired", end: yesterday },
    ],
    ["as long as friends use the club", { isByReferral: true, subscriptionEnd: yesterday }, { key: "referral" }],
    ["ended", { subscriptionEnd: yesterday, graceUntil: yesterday }, { key: "expired", end: yesterday }],
    ["none", {}, { key: "none" }],
  ])("%s", (_, facts, expected) => {
    expect(ownSubscription({ ...nothing, ...facts }, now)).toEqual(expected);
  });
});
