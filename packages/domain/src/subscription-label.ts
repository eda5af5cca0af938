import { type EntitlementStanding, entitlementBesideQuota } from "./entitlement.ts";
import { DAY_MS, HOUR_MS, type Moment, msOf } from "./moment.ts";

/** A text's key; `date` is the day to put into it, null if the text has none. */
export interface SubscriptionLabel<Key extends string> {
  key: Key;
  date: Date | null;
}

/** 'Безлимитная', 'До DD.MM.YYYY', 'По приглашениям', 'Истекла', 'Не активна'. */
export type StaffLabelKey = "unlimited" | "until" | "referral" | "expired" | "none";
/** How staff read a member's subscription (decisions, section 1). A block or a used up quota is shown elsewhere and hides nothing here. */
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

/** What the club tells a member about their subscription; what it is told from is in the contract's answer about a member. */
export interface OwnSubscriptionFacts {
  isUnlimited: boolean;
  isTrial: boolean;
  /** Friends keep the access open, and nothing else does. */
  isByReferral: boolean;
  /** The traffic of the period is used up: no device works, whatever the subscription says. */
  isQuotaUsedUp: boolean;
  /** ms since 1970. */
  subscriptionEnd: number | null;
  graceUntil: number | null;
}

/** `end`: what was paid for. `until`: when the hours of grace after it end. */
export type OwnSubscription =
  | { key: "unlimited" | "referral" | "none" }
  | { key: "until" | "trial" | "expired"; end: number }
  | { key: "grace"; end: number; until: number };

/** How members read their own subscription, on the dashboard and from the bot (decisions, section 1). */
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
 * What is left of a subscription, the begun day or hour counted: three days after a trial began 3 days are not yet over. Hours on
 * the last day, where less than a whole one is left; 0 hours where only grace is.
 */
export function subscriptionLeft(endMs: number, now: Moment): { unit: "days" | "hours"; count: number } {
  const left = Math.max(0, endMs - msOf(now));
  const hours = Math.ceil(left / HOUR_MS);
  return hours * HOUR_MS < DAY_MS ? { unit: "hours", count: hours } : { unit: "days", count: Math.ceil(left / DAY_MS) };
}
