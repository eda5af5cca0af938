import { type EntitlementStanding, entitlementBesideQuota } from "./entitlement.ts";
import { DAY_MS, HOUR_MS, type Moment, msOf } from "./moment.ts";

/** A text's key; `date` is the day to put into it, null if the text has none. */
export interface SubscriptionLabel<Key extends string> {
  key: Key;
  date: Date | null;
}

/** 'Безлимитная', 'До DD.MM.YYYY', 'По приглашениям', 'Истекла', 'Не активна'. */
export type StaffLabelKey = "unlimited" | "until" | "referral" | "expired" | "none";
/** 'Безлимитная подписка', the date, 'Бессрочно', 'Истекла DD.MM.YYYY', 'Не активна'. */
export type DashboardLabelKey = "unlimited" | "until" | "endless" | "expired" | "none";

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

/** How members read their own subscription on the dashboard (decisions, section 1). */
export function dashboardSubscriptionLabel(
  standing: EntitlementStanding,
  now: Moment,
): SubscriptionLabel<DashboardLabelKey> {
  const { key } = staffSubscriptionLabel(standing, now);
  if (key === "referral") return { key: "endless", date: null };
  return { key, date: key === "until" || key === "expired" ? paidUntil(standing) : null };
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
