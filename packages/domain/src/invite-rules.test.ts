import { describe, expect, test } from "vitest";
import { NO_LIMIT } from "./config-rules.ts";
import {
  INVITE_ALPHABET,
  type InviteStanding,
  inviteBan,
  inviteState,
  normalizeInviteCode,
  type OwnCodeStanding,
  trialEndsAt,
  whyNoOwnCode,
} from "./invite-rules.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "./moment.ts";

const now = new Date("2025-03-14T12:00:00Z");

describe("an invite code", () => {
  test("uses 31 characters that cannot be mistaken for each other", () => {
    expect(new Set(INVITE_ALPHABET).size).toBe(31);
    expect(INVITE_ALPHABET).toMatch(/^[A-Z2-9]+$/);
    expect(INVITE_ALPHABET).not.toMatch(/[0O1IL]/);
  });

  test.each([
    ["ABC234", "ABC234"],
    ["abc234", "ABC234"],
    [" abc-234\n", "ABC234"],
    ["a b c 2 3 4", "ABC234"],
  ])("typed as %j is %s", (typed, code) => {
    expect(normalizeInviteCode(typed)).toBe(code);
  });

  test.each([
    "",
    "ABC23",
    "ABC2345",
    "ABC23O",
    "ABC230",
    "ABC23I",
    "ABC231",
    "ABC23L",
    "АВС234",
    "ABC23'",
    " ".repeat(1e6),
  ])("is not %j", (typed) => {
    expect(normalizeInviteCode(typed)).toBeNull();
  });
});

describe("an invite", () => {
  const fresh: InviteStanding = { isActive: true, expiresAt: null, subscriptionEnd: null, maxUses: 2, currentUses: 1 };
  const past = { expiresAt: now.getTime() - 1 };
  const usedUp = { currentUses: 2 };

  test.each<[string, Partial<InviteStanding>, ReturnType<typeof inviteState>]>([
    ["without an end is active while it has uses left", {}, "active"],
    ["is active up to its end", { expiresAt: now.getTime() + 1 }, "active"],
    ["is expired at its end", { expiresAt: now.getTime() }, "expired"],
    ["whose subscription is over by then has nothing to give", { subscriptionEnd: now.getTime() }, "expired"],
    ["gives what is left of its subscription", { subscriptionEnd: now.getTime() + 1 }, "active"],
    ["is used when its last use is taken", usedUp, "used"],
    ["is used when the limit was lowered below its uses", { maxUses: 1, currentUses: 2 }, "used"],
    ["without a limit is never used up", { maxUses: NO_LIMIT, currentUses: 10_000 }, "active"],
    ["that is expired and used shows as expired", { ...past, ...usedUp }, "expired"],
    ["that staff deactivated stays deactivated, whatever else", { ...past, ...usedUp, isActive: false }, "deactivated"],
  ])("%s", (_, standing, state) => {
    expect(inviteState({ ...fresh, ...standing }, now)).toBe(state);
  });
});

describe("wrong codes", () => {
  test.each([
    [0, 0],
    [4, 0],
    [5, 5 * MINUTE_MS],
    [6, 10 * MINUTE_MS],
    [7, 20 * MINUTE_MS],
    [13, 1280 * MINUTE_MS],
    [14, DAY_MS],
    [5000, DAY_MS],
  ])("after %i of them an address waits %i ms", (count, ms) => {
    expect(inviteBan(count)).toBe(ms);
  });
});

describe("a trial", () => {
  test("lasts three days from the registration", () => {
    expect(trialEndsAt(now)).toBe(new Date("2025-03-17T12:00:00Z").getTime());
  });
});

describe("a member makes a code of their own", () => {
  const fine: OwnCodeStanding = {
    isActive: true,
    isUnlimited: false,
    subscriptionEnd: now.getTime() + DAY_MS,
    graceHours: 0,
    referralEarned: false,
    quotaUsedUpUntil: null,
    subscriptionIsTrial: false,
    hasAcceptedRules: true,
    ownCodesThisMonth: 9,
    ownCodesPerMonth: 10,
  };
  const trial = { subscriptionIsTrial: true };
  const expired = { subscriptionEnd: now.getTime() - HOUR_MS };
  const rulesUnread = { hasAcceptedRules: false };

  test.each<[string, Partial<OwnCodeStanding>, ReturnType<typeof whyNoOwnCode>]>([
    ["when entitled, past the trial, with the rules accepted and codes left", {}, null],
    ["not while blocked", { isActive: false, ...expired }, "member.blocked"],
    ["not without a subscription", { ...expired, ...trial }, "invite.needs_subscription"],
    ["not on the trial", { ...trial, ...rulesUnread }, "invite.on_trial"],
    ["not before accepting the rules", { ...rulesUnread, ownCodesThisMonth: 10 }, "invite.needs_rules"],
    ["not beyond the monthly limit", { ownCodesThisMonth: 10 }, "invite.monthly_limit"],
    ["not at all if the setting is 0", { ownCodesThisMonth: 0, ownCodesPerMonth: 0 }, "invite.monthly_limit"],
    ["when made unlimited during the trial", { ...trial, isUnlimited: true }, null],
    ["when friends earn the subscription during the trial", { ...trial, referralEarned: true }, null],
    ["when friends earn the subscription after the trial", { ...trial, ...expired, referralEarned: true }, null],
  ])("%s", (_, standing, why) => {
    expect(whyNoOwnCode({ ...fine, ...standing }, now)).toBe(why);
  });
});
