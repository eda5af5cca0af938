import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DAY_MS } from "./moment.ts";
import {
  countsUntil,
  earnedByReferral,
  type Friend,
  type FriendStanding,
  hasOwnSubscription,
  lastNeeded,
  REFERRAL_FRIENDS,
  whyNotCounting,
} from "./referral.ts";

const NOW = Date.parse("2026-11-21T09:00:00Z");
const paying: FriendStanding = {
  isActive: true,
  isUnlimited: false,
  subscriptionEnd: NOW + DAY_MS,
  graceHours: 0,
  referralEarned: false,
  quotaUsedUpUntil: null,
  subscriptionIsTrial: false,
  lastHandshakeAt: NOW - 1,
};
const trial = { subscriptionIsTrial: true };
const nothing = { subscriptionEnd: null };

describe("a friend counts", () => {
  test.each<[string, Partial<FriendStanding>, ReturnType<typeof whyNotCounting>]>([
    ["with a running subscription and a device that connects", {}, null],
    ["without an end", { isUnlimited: true, subscriptionEnd: null }, null],
    ["without an end, even while the trial runs", { isUnlimited: true, ...trial }, null],
    ["through friends of their own", { ...nothing, referralEarned: true }, null],
    ["through friends of their own, even on the trial", { ...trial, referralEarned: true }, null],
    ["during the grace hours", { subscriptionEnd: NOW - DAY_MS / 24, graceHours: 2 }, null],
    ["until the last moment of the thirty days", { lastHandshakeAt: NOW - 30 * DAY_MS + 1 }, null],
    ["not on the trial", trial, "on_trial"],
    ["not when the trial is over", { ...trial, subscriptionEnd: NOW }, "no_subscription"],
    ["not without a subscription", nothing, "no_subscription"],
    ["not when it has ended", { subscriptionEnd: NOW }, "no_subscription"],
    [
      "not while blocked, whatever else applies",
      { isActive: false, isUnlimited: true, referralEarned: true },
      "blocked",
    ],
    ["not when no device ever connected", { lastHandshakeAt: null }, "no_handshake"],
    ["not after thirty days of silence", { lastHandshakeAt: NOW - 30 * DAY_MS }, "no_handshake"],
    ["not on the trial, reported before the missing handshake", { ...trial, lastHandshakeAt: null }, "on_trial"],
  ])("%s", (_, about, reason) => {
    expect(whyNotCounting({ ...paying, ...about }, NOW)).toBe(reason);
  });

  test("a subscription of one's own does not depend on a connected device", () => {
    expect(hasOwnSubscription({ ...paying, lastHandshakeAt: null }, NOW)).toBe(true);
    expect(hasOwnSubscription({ ...paying, ...trial }, NOW)).toBe(false);
    expect(hasOwnSubscription({ ...paying, isActive: false }, NOW)).toBe(false);
  });
});

describe("how long a friend keeps counting", () => {
  const byFriends = NOW + 5 * DAY_MS;
  test.each<[string, Partial<FriendStanding>, number]>([
    ["until the paid end", {}, NOW + DAY_MS],
    ["through the grace hours after it", { graceHours: 24 }, NOW + 2 * DAY_MS],
    ["without end where there is none", { isUnlimited: true }, Number.POSITIVE_INFINITY],
    ["as long as their own friends do", { ...nothing, referralEarned: true }, byFriends],
    [
      "as long as the longer of both lasts",
      { referralEarned: true, subscriptionEnd: NOW + 9 * DAY_MS },
      NOW + 9 * DAY_MS,
    ],
    [
      "only by friends during the trial",
      { ...trial, subscriptionEnd: NOW + 9 * DAY_MS, referralEarned: true },
      byFriends,
    ],
  ])("%s", (_, about, until) => {
    expect(countsUntil({ ...paying, ...about }, byFriends)).toBe(until);
  });

  test("the friend that everything depends on is the third from the last to go", () => {
    const going = (...days: number[]) => lastNeeded(days.map((until) => ({ until })))?.until;
    expect(going(5, 1, 9, 7)).toBe(5);
    expect(going(5, 1, Number.POSITIVE_INFINITY)).toBe(1);
    expect(going(5, 1)).toBeUndefined();
  });
});

const friend = (id: string, friendOf: string, about: Partial<FriendStanding> = {}): Friend => ({
  id,
  friendOf,
  standing: { ...paying, ...about },
});
const three = (of: string, about: Partial<FriendStanding> = {}) =>
  [1, 2, 3].map((n) => friend(`${of}.${n}`, of, about));

describe("the subscription is earned", () => {
  test("by three friends who count, not by two", () => {
    expect([...earnedByReferral(three("anna"), NOW)]).toEqual(["anna"]);
    expect(earnedByReferral(three("anna").slice(1), NOW).size).toBe(0);
    expect(earnedByReferral([...three("anna").slice(1), friend("x", "anna", trial)], NOW).size).toBe(0);
  });

  test("through friends who themselves only have friends, to any depth, in any order", () => {
    const people = [
      ...three("anna", nothing),
      ...three("anna.1", nothing),
      ...three("anna.2"),
      ...three("anna.3"),
      ...three("anna.1.1"),
      ...three("anna.1.2"),
      ...three("anna.1.3"),
    ];
    const all = ["anna", "anna.1", "anna.1.1", "anna.1.2", "anna.1.3", "anna.2", "anna.3"];
    expect([...earnedByReferral(people, NOW)].sort()).toEqual(all);
    expect([...earnedByReferral(people.toReversed(), NOW)].sort()).toEqual(all);
    // If one leaf drops out, the whole chain above it falls.
    const without = people.filter(({ id }) => id !== "anna.1.1.3");
    expect([...earnedByReferral(without, NOW)].sort()).toEqual(["anna.1.2", "anna.1.3", "anna.2", "anna.3"]);
  });

  test("not by a circle of members who only have each other, whatever was earned before", () => {
    // a, b and c each invited the next one three times over; only each other's help would keep them.
    const held = { ...nothing, referralEarned: true };
    const ring = ["a", "b", "c", "d"].flatMap((id, n, all) => [
      friend(id, all[(n + 1) % all.length] ?? "", held),
      ...three(id).slice(1),
    ]);
    expect(earnedByReferral(ring, NOW).size).toBe(0);
    // Each has two real friends; a third for any one of them keeps the ring, and without it the ring falls.
    expect([...earnedByReferral([...ring, friend("real", "a")], NOW)].sort()).toEqual(["a", "b", "c", "d"]);
  });

  test("a friend who counts anyway does not count twice for earning", () => {
    expect(earnedByReferral([...three("anna").slice(1), ...three("anna.2")], NOW)).toEqual(new Set(["anna.2"]));
  });

  test("by exactly the members with three counting friends, as the smallest such set", () => {
    const about = fc.record({
      subscriptionEnd: fc.constantFrom(null, NOW + 1),
      lastHandshakeAt: fc.constantFrom(null, NOW),
      subscriptionIsTrial: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(11), about), { minLength: 1, maxLength: 40 }), (drawn) => {
        const people = drawn.map(([of, standing], n) => friend(`${n}`, `${of}`, standing));
        const earned = earnedByReferral(people, NOW);
        const countsWith = (set: ReadonlySet<string>) => (id: string) =>
          people.filter(
            (one) =>
              one.friendOf === id && whyNotCounting({ ...one.standing, referralEarned: set.has(one.id) }, NOW) === null,
          ).length;
        // The rounds by hand, starting from nothing.
        let byRounds = new Set<string>();
        for (let before = -1; before !== byRounds.size; ) {
          before = byRounds.size;
          const known = byRounds;
          byRounds = new Set(
            people.map(({ friendOf }) => friendOf).filter((id) => countsWith(known)(id) >= REFERRAL_FRIENDS),
          );
        }
        expect([...earned].sort()).toEqual([...byRounds].sort());
      }),
    );
  });
});
