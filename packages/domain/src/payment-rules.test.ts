import { describe, expect, test } from "vitest";
import type { EntitlementStanding } from "./entitlement.ts";
import { HOUR_MS } from "./moment.ts";
import {
  type ClubCalendar,
  dueDay,
  effectOf,
  endWithout,
  freeOfCharge,
  grantedMonth,
  newsOfStatus,
  PAYMENT_STATUSES,
  type PaymentStatus,
  periodOf,
  whyNoClaim,
  whyNotStatus,
} from "./payment-rules.ts";

/** Moscow: three hours ahead, without daylight saving. */
const moscow: ClubCalendar = { toWall: (at) => at + 3 * HOUR_MS, fromWall: (wall) => wall - 3 * HOUR_MS };
/** A moment on the club's clock. */
const at = (text: string) => Date.parse(`${text}+03:00`);
const endOf = (day: string) => at(`${day}T23:59:59`);
const shown = (ms: number | null) =>
  ms === null ? null : new Date(moscow.toWall(ms)).toISOString().slice(0, 19).replace("T", " ");

describe("a payment belongs to a month of the club's clock", () => {
  test.each([
    ["2026-11-30T23:59:59", "2026-11"],
    ["2026-12-01T00:00:00", "2026-12"],
    ["2026-12-31T23:59:59", "2026-12"],
    ["2027-01-01T00:30:00", "2027-01"],
  ])("%s is in %s", (moment, period) => {
    expect(periodOf(at(moment), moscow)).toBe(period);
  });
});

describe("a month is due on the day the subscription ends, or on its last day", () => {
  test.each([
    ["2026-11", endOf("2026-11-18"), "2026-11-18"],
    ["2026-11", endOf("2026-12-12"), "2026-12-12"],
    ["2026-11", endOf("2026-10-31"), "2026-11-30"],
    ["2026-11", null, "2026-11-30"],
    ["2026-02", null, "2026-02-28"],
    ["2028-02", null, "2028-02-29"],
    ["2026-12", null, "2026-12-31"],
  ])("%s", (period, end, day) => {
    expect(dueDay(period, end, moscow)).toBe(day);
  });
});

describe("one calendar month is granted, to the end of its last day", () => {
  const now = at("2026-01-20T12:00:00");
  test.each([
    ["from the subscription's end, if that is still ahead", endOf("2026-02-10"), "2026-03-10 23:59:59"],
    ["from now, if it has ended", endOf("2026-01-05"), "2026-02-20 23:59:59"],
    ["from now, if there never was one", null, "2026-02-20 23:59:59"],
    ["over the year's turn", endOf("2026-12-15"), "2027-01-15 23:59:59"],
    ["to the last day of a shorter month", endOf("2026-01-31"), "2026-02-28 23:59:59"],
    ["to the leap day in a leap year", endOf("2028-01-31"), "2028-02-29 23:59:59"],
    ["from an end in the middle of a day", at("2026-01-25T08:15:00"), "2026-02-25 23:59:59"],
  ])("%s", (_, subscriptionEnd, until) => {
    const grant = grantedMonth({ now, subscriptionEnd, anchorDay: null }, moscow);
    expect(shown(grant.until)).toBe(until);
    expect(grant.endBefore).toBe(subscriptionEnd);
  });

  test("a payment in the last minute of a day and of a month counts for that day, by the club's clock", () => {
    const late = { now: at("2026-01-31T23:59:30"), subscriptionEnd: null, anchorDay: null };
    expect(shown(grantedMonth(late, moscow).until)).toBe("2026-02-28 23:59:59");
  });

  test("shorter months in between do not move the day: 31 January, 28 February, 31 March, 30 April, 31 May", () => {
    const ends: (string | null)[] = [];
    let subscriptionEnd: number | null = endOf("2026-01-31");
    let anchorDay: number | null = null;
    for (let month = 0; month < 4; month++) {
      const grant = grantedMonth({ now, subscriptionEnd, anchorDay }, moscow);
      ends.push(shown(grant.until));
      ({ until: subscriptionEnd, anchorDay } = grant);
    }
    expect(ends).toEqual(["2026-02-28 23:59:59", "2026-03-31 23:59:59", "2026-04-30 23:59:59", "2026-05-31 23:59:59"]);
  });

  test("after a break the months start on the day of the new payment", () => {
    const late = { now: at("2026-03-05T10:00:00"), subscriptionEnd: endOf("2026-02-28"), anchorDay: 31 };
    expect(shown(grantedMonth(late, moscow).until)).toBe("2026-04-05 23:59:59");
  });
});

describe("overdue takes back exactly what was granted", () => {
  const now = at("2026-11-21T12:00:00");
  const grantTo = (subscriptionEnd: number | null) => grantedMonth({ now, subscriptionEnd, anchorDay: null }, moscow);

  test.each([
    ["one still running", endOf("2026-12-12")],
    ["one already over", endOf("2026-11-03")],
    ["no subscription", null],
  ])("%s ends as before", (_, before) => {
    const grant = grantTo(before);
    expect(endWithout(grant, grant.until, moscow)).toBe(before);
  });

  test.each([
    ["later", endOf("2026-12-12"), endOf("2027-01-22"), "2026-12-22 23:59:59"],
    ["earlier", endOf("2026-12-12"), endOf("2027-01-02"), "2026-12-02 23:59:59"],
    ["after a late payment", null, endOf("2026-12-31"), "2026-12-01 12:00:00"],
  ])("an end edited since (%s) moves back by the granted time", (_, before, edited, left) => {
    expect(shown(endWithout(grantTo(before), edited, moscow))).toBe(left);
  });

  test("an end cleared since stays cleared", () => {
    expect(endWithout(grantTo(endOf("2026-12-12")), null, moscow)).toBeNull();
  });
});

describe("who may set what", () => {
  const wish = { period: "2026-11", currentPeriod: "2026-11", isUnlimited: false };
  const allowed: Record<PaymentStatus, PaymentStatus[]> = {
    pending: ["pending", "paid", "overdue", "not_required"],
    paid: ["paid", "overdue", "not_required"],
    overdue: ["paid", "overdue", "not_required"],
    not_required: ["overdue", "not_required"],
  };
  test.each(PAYMENT_STATUSES.flatMap((from) => PAYMENT_STATUSES.map((to) => [from, to] as const)))(
    "an admin: %s to %s",
    (from, to) => {
      const reason = whyNotStatus({ ...wish, role: "admin", from, to });
      expect(reason).toBe(allowed[from].includes(to) ? null : "payment.transition");
    },
  );

  test("a moderator sets paid and overdue but never 'not required'; a member sets nothing", () => {
    const moderator = { ...wish, role: "moderator", from: "pending" } as const;
    expect(whyNotStatus({ ...moderator, to: "paid" })).toBeNull();
    expect(whyNotStatus({ ...moderator, to: "overdue" })).toBeNull();
    expect(whyNotStatus({ ...moderator, to: "not_required" })).toBe("auth.forbidden");
    for (const to of PAYMENT_STATUSES) expect(whyNotStatus({ ...moderator, role: "user", to })).toBe("auth.forbidden");
  });

  test("only the current month changes, and never for unlimited members", () => {
    const paid = { ...wish, role: "admin", from: "pending", to: "paid" } as const;
    expect(whyNotStatus({ ...paid, period: "2026-10" })).toBe("payment.not_current_month");
    expect(whyNotStatus({ ...paid, period: "2026-12" })).toBe("payment.not_current_month");
    expect(whyNotStatus({ ...paid, isUnlimited: true })).toBe("payment.unlimited_member");
    // Several months were paid at once, and have not begun.
    const ahead = { ...paid, from: "paid", to: "overdue", period: "2026-12", paidMonths: 3 } as const;
    expect(whyNotStatus(ahead)).toBeNull();
    for (const other of [
      { paidMonths: 1 },
      { period: "2026-10" },
      { from: "pending" },
      { to: "not_required" },
    ] as const)
      expect(whyNotStatus({ ...ahead, ...other })).toBe("payment.not_current_month");
  });

  test("a month is granted once, however often its status goes from paid to not required", () => {
    const granted = { from: 1, until: 2, endBefore: null, anchorDay: 1 };
    expect(effectOf("paid", null)).toBe("grant");
    expect(effectOf("not_required", null)).toBe("grant");
    expect(effectOf("not_required", granted)).toBeNull();
    expect(effectOf("paid", granted)).toBeNull();
    expect(effectOf("overdue", granted)).toBe("take back");
    expect(effectOf("overdue", null)).toBeNull();
  });
});

describe("a member claims to have paid", () => {
  const claim = { free: null, status: "pending", isSetUp: true } as const;
  test.each([
    ["for an undecided month", claim, null],
    ["for an overdue month", { ...claim, status: "overdue" }, null],
    ["not for a settled month", { ...claim, status: "paid" }, "payment.already_settled"],
    ["not where nothing is required", { ...claim, status: "not_required" }, "payment.already_settled"],
    ["not with nothing to pay", { ...claim, free: "referral" }, "payment.nothing_due"],
    ["not before the club has said how to pay", { ...claim, isSetUp: false }, "payment.not_set_up"],
  ] as const)("%s", (_, standing, reason) => {
    expect(whyNoClaim(standing)).toBe(reason);
  });

  test("unlimited members pay nothing, nor do members carried by friends while no paid subscription runs", () => {
    const now = at("2026-11-21T12:00:00");
    const standing: EntitlementStanding = {
      isActive: true,
      isUnlimited: false,
      subscriptionEnd: null,
      graceHours: 0,
      referralEarned: false,
      quotaUsedUpUntil: null,
    };
    expect(freeOfCharge(standing, now)).toBeNull();
    expect(freeOfCharge({ ...standing, isUnlimited: true }, now)).toBe("unlimited");
    expect(freeOfCharge({ ...standing, referralEarned: true }, now)).toBe("referral");
    expect(freeOfCharge({ ...standing, referralEarned: true, subscriptionEnd: now + 1 }, now)).toBeNull();
  });
});

describe("the notice to a member when a status changes", () => {
  const month = { from: 0, until: 1, endBefore: null, anchorDay: 1 };
  /** By what the record may hold. */
  const told = (from: PaymentStatus, to: PaymentStatus, granted: typeof month | null) =>
    newsOfStatus({ from, to, effect: effectOf(to, granted) });

  test.each<[PaymentStatus, PaymentStatus, boolean, ReturnType<typeof newsOfStatus>]>([
    ["pending", "pending", false, null],
    ["pending", "paid", false, "recorded"],
    ["pending", "not_required", false, "extended"],
    // Nothing was given, so nothing is taken.
    ["pending", "overdue", false, null],
    ["paid", "pending", true, null],
    ["paid", "paid", true, null],
    // The subscription stays as it is.
    ["paid", "not_required", true, null],
    ["paid", "overdue", true, "taken_back"],
    // Also if the record is too old to say what was granted.
    ["paid", "overdue", false, "taken_back"],
    ["not_required", "pending", true, null],
    ["not_required", "paid", true, "recorded"],
    ["not_required", "not_required", true, null],
    ["not_required", "overdue", true, "taken_back"],
    ["not_required", "overdue", false, null],
    ["overdue", "pending", false, null],
    ["overdue", "paid", false, "recorded"],
    ["overdue", "not_required", false, "extended"],
    ["overdue", "overdue", false, null],
  ])("%s → %s (a month granted: %s): %s", (from, to, isGranted, news) => {
    expect(told(from, to, isGranted ? month : null)).toBe(news);
  });
});
