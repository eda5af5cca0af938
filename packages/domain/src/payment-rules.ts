import { type EntitlementStanding, entitlementBesideQuota } from "./entitlement.ts";
import { DAY_MS, SECOND_MS } from "./moment.ts";
import type { Role } from "./roles.ts";
import { may } from "./staff-actions.ts";

export const PAYMENT_STATUSES = ["pending", "paid", "overdue", "not_required"] as const;
/** A member's status in a month; `pending` if nothing is recorded (specification, operator's side 4). */
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** The member sees a declined claim this long, unless they have paid or claimed again since. */
export const DECLINED_SHOWN_MS = 30 * DAY_MS;
/** Receipts are kept this long after the decision, for questions about it. */
export const RECEIPTS_KEPT_MS = 90 * DAY_MS;

/**
 * The club's time zone as the rules need it. Wall time is what the club's clock shows at a moment, written as ms as if the
 * club were in UTC. Days and months are counted on it, so daylight saving never moves a day's end.
 */
export interface ClubCalendar {
  toWall(at: number): number;
  fromWall(wall: number): number;
}

/** `YYYY-MM` of a moment (specification, operator's side 9). */
export const periodOf = (at: number, calendar: ClubCalendar): string => dayOf(calendar.toWall(at)).slice(0, 7);

/** `YYYY-MM-DD` when a month is due: the day the subscription ends, or the last of the month (decisions, section 5). */
export function dueDay(period: string, subscriptionEnd: number | null, calendar: ClubCalendar): string {
  const end = subscriptionEnd === null ? null : dayOf(calendar.toWall(subscriptionEnd));
  if (end !== null && end.slice(0, 7) >= period) return end;
  const { year, month } = monthOf(period);
  return dayOf(Date.UTC(year, month + 1, 0));
}

export type NoStatusReason =
  | "auth.forbidden"
  | "payment.not_current_month"
  | "payment.unlimited_member"
  | "payment.transition";

export interface StatusWish {
  role: Role;
  from: PaymentStatus;
  to: PaymentStatus;
  period: string;
  currentPeriod: string;
  isUnlimited: boolean;
  /** How many months the same payment was for. */
  paidMonths?: number;
}

/** Allowed changes. Also allowed: any to `not_required`, and each to itself, which changes nothing (decisions, section 5). */
const TRANSITIONS: Readonly<Record<PaymentStatus, readonly PaymentStatus[]>> = {
  pending: ["paid", "overdue"],
  paid: ["overdue"],
  not_required: ["overdue"],
  overdue: ["paid"],
};

/** The first reason this person may not set this status on a member's month, or null. */
export function whyNotStatus({
  role,
  from,
  to,
  period,
  currentPeriod,
  isUnlimited,
  paidMonths = 1,
}: StatusWish): NoStatusReason | null {
  if (!may(role, to === "not_required" ? "payments.set_not_required" : "payments.set")) return "auth.forbidden";
  // Months paid ahead come with others, and go with them, also before the first of them has begun.
  const isAhead = period > currentPeriod && paidMonths > 1 && from === "paid" && to === "overdue";
  if (period !== currentPeriod && !isAhead) return "payment.not_current_month";
  if (isUnlimited) return "payment.unlimited_member";
  const allowed = from === to || to === "not_required" || TRANSITIONS[from].includes(to);
  return allowed ? null : "payment.transition";
}

/** Nothing is left to pay for such a month. */
export const isSettled = (status: PaymentStatus): boolean => status === "paid" || status === "not_required";

/** What a status granted: the subscription ended at `endBefore` and moved from `from` to `until`, ms. */
export interface Grant {
  readonly from: number;
  readonly until: number;
  readonly endBefore: number | null;
  /** Day of the month that returns after shorter months: 31 Jan, 28 Feb, 31 Mar. */
  readonly anchorDay: number;
}

/** What a status does to the subscription: `paid` and `not_required` grant a month once, `overdue` takes the grant back. */
export function effectOf(to: PaymentStatus, granted: Grant | null): "grant" | "take back" | null {
  if (to === "paid" || to === "not_required") return granted === null ? "grant" : null;
  return to === "overdue" && granted !== null ? "take back" : null;
}

/** What a member is told when the month's status changes. */
export type PaymentNews = "recorded" | "extended" | "taken_back";

/** What a status change means to the member; null: nothing they have or were told changes. */
export function newsOfStatus({
  from,
  to,
  effect,
}: {
  from: PaymentStatus;
  to: PaymentStatus;
  effect: ReturnType<typeof effectOf>;
}): PaymentNews | null {
  if (from === to) return null;
  switch (to) {
    case "paid":
      return "recorded";
    case "not_required":
      return effect === "grant" ? "extended" : null;
    case "overdue":
      return effect === "take back" || from === "paid" ? "taken_back" : null;
    case "pending":
      return null;
  }
}

/**
 * One calendar month from the later of now and the subscription's end, to the end of that day (decisions, section 5).
 * `anchorDay` comes from the grant that set the current end, null if none did.
 */
export function grantedMonth(
  { now, subscriptionEnd, anchorDay }: { now: number; subscriptionEnd: number | null; anchorDay: number | null },
  calendar: ClubCalendar,
): Grant {
  const runs = subscriptionEnd !== null && subscriptionEnd > now;
  const from = runs ? subscriptionEnd : now;
  const start = new Date(calendar.toWall(from));
  const anchor = runs && anchorDay !== null ? anchorDay : start.getUTCDate();
  const [year, month] = [start.getUTCFullYear(), start.getUTCMonth() + 1];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const until = calendar.fromWall(Date.UTC(year, month, Math.min(anchor, lastDay)) + DAY_MS - SECOND_MS);
  return { from, until: Math.max(from, until), endBefore: subscriptionEnd, anchorDay: anchor };
}

/**
 * The subscription's end without the grant: as it was before, or, if the end was edited since, earlier by exactly the
 * granted time.
 */
export function endWithout(grant: Grant, subscriptionEnd: number | null, calendar: ClubCalendar): number | null {
  if (subscriptionEnd === grant.until) return grant.endBefore;
  if (subscriptionEnd === null) return null;
  const granted = calendar.toWall(grant.until) - calendar.toWall(grant.from);
  return calendar.fromWall(calendar.toWall(subscriptionEnd) - granted);
}

/** Why a member has nothing to pay, or null if they do. */
export function freeOfCharge(standing: EntitlementStanding, now: number): "unlimited" | "referral" | null {
  const { reason } = entitlementBesideQuota(standing, now);
  return reason === "unlimited" || reason === "referral" ? reason : null;
}

export type NoClaimReason =
  | "payment.nothing_due"
  | "payment.already_settled"
  | "payment.not_set_up"
  | "payment.length_not_offered";

/**
 * The first reason a member may not claim to have paid, or null. Several `months` may be paid ahead. `isSetUp`: staff have set a price or how to pay; `isOffered`: a
 * price for that many months.
 */
export function whyNoClaim({
  free,
  status,
  months = 1,
  isSetUp,
  isOffered = true,
}: {
  free: ReturnType<typeof freeOfCharge>;
  status: PaymentStatus;
  months?: number;
  isSetUp: boolean;
  isOffered?: boolean;
}): NoClaimReason | null {
  if (free !== null) return "payment.nothing_due";
  if (isSettled(status) && months === 1) return "payment.already_settled";
  if (!isSetUp) return "payment.not_set_up";
  return isOffered ? null : "payment.length_not_offered";
}

const dayOf = (wall: number) => new Date(wall).toISOString().slice(0, 10);

/** `month` from 0. */
const monthOf = (period: string) => ({ year: Number(period.slice(0, 4)), month: Number(period.slice(5, 7)) - 1 });
