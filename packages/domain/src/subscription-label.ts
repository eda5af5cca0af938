import { type EntitlementStanding, entitlementBesideQuota } from "./entitlement.ts";
import { DAY_MS, HOUR_MS, type Moment, msOf } from "./moment.ts";

/** A text's key; `date` is the day to put into it, null if the text has none. */
export interface SubscriptionLabel<Key extends string> {
  key: Key;
  date: Date | null;
}

/** 'Безлимитная', 'До DD.MM.YYYY', 'По приглашениям', 'Истекла', 'Не активна'. */
export type StaffLabelKey = "unlimited" | "until" | "referral" | "expired" | "none";
/**
 * How staff see a member's subscription (decisions, section 1). A block or a used-up quota is shown elsewhere and hides nothing
 * here.
 */
export function staffSubscriptionLabel(standing: EntitlementStanding, now: Moment): SubscriptionLabel<StaffLabelKey> {
  switch (entitlementBesideQuota({ ...standing, isActive: true }, now).reason) {
    case "unlimited":
      return { key: "unlimited", date: null };
    case "subscription":
      return { key: "until", date: paidUntil(standing) };
    case "referral":
      return { key: "referral", date: null };
    case "expired":
      return { key: "expired", date: null };
    default:
      return { key: "none", date: null };
  }
}

/** What a member's own subscription text is based on, from the contract's answer about the member. */
export interface OwnSubscriptionFacts {
  isUnlimited: boolean;
  isTrial: boolean;
  /** Only friends keep the access open. */
  isByReferral: boolean;
  /** The period's traffic is used up: no device works, whatever the subscription says. */
  isQuotaUsedUp: boolean;
  /** ms since 1970. */
  subscriptionEnd: number | null;
  graceUntil: number | null;
}

/** `end`: the paid end. `until`: when the grace hours after it end. */
export type OwnSubscription =
  | { key: "unlimited" | "referral" | "none" }
  | { key: "until" | "trial" | "expired"; end: number }
  | { key: "grace"; end: number; until: number };

/** How members see their own subscription, on the dashboard and in the bot (decisions, section 1). */
export function ownSubscription(facts: OwnSubscriptionFacts, now: Moment): OwnSubscription {
  const { isUnlimited, isTrial, isByReferral, isQuotaUsedUp, subscriptionEnd: end, graceUntil } = facts;
  if (isUnlimited) return { key: "unlimited" };
  if (isByReferral) return { key: "referral" };
  if (end !== null && end > msOf(now)) return { key: isTrial ? "trial" : "until", end };
  if (end === null) return { key: "none" };
  if (graceUntil !== null && graceUntil > msOf(now) && !isQuotaUsedUp) return { key: "grace", end, until: graceUntil };
  return { key: "expired", end };
}

/** The paid date; the grace hours after it are not advertised. */
function paidUntil(standing: EntitlementStanding): Date | null {
  return standing.subscriptionEnd === null ? null : new Date(standing.subscriptionEnd);
}

/**
 * What is left of a subscription, rounded up to days: a three-day trial shows 3 days until the first one is over. Hours on the
 * last day, if less than a whole day is left; 0 hours if only grace is left.
 */
export function subscriptionLeft(endMs: number, now: Moment): { unit: "days" | "hours"; count: number } {
  const left = Math.max(0, endMs - msOf(now));
  const hours = Math.ceil(left / HOUR_MS);
  return hours * HOUR_MS < DAY_MS ? { unit: "hours", count: hours } : { unit: "days", count: Math.ceil(left / DAY_MS) };
}
