import { HOUR_MS, type Moment, msOf } from "./moment.ts";

/** What the club knows about a member that decides whether they may use the VPN. */
export interface EntitlementStanding {
  /** False when staff blocked the account. */
  isActive: boolean;
  isUnlimited: boolean;
  /** ms since 1970, null if there was never a subscription. */
  subscriptionEnd: number | null;
  /** A club setting, default 0. */
  graceHours: number;
  /** Enough invited friends are active now (decisions, section 4). */
  referralEarned: boolean;
  /** When the period with a used-up traffic quota ends, ms; null if none is used up. */
  quotaUsedUpUntil: number | null;
}

export type EntitlementReason = "blocked" | "quota" | "unlimited" | "subscription" | "referral" | "expired" | "none";

export interface Entitlement {
  allowed: boolean;
  reason: EntitlementReason;
  /**
   * The paid end ('subscription', 'expired'), without grace hours; the end of the period ('quota'). Null for all other reasons.
   */
  until: Date | null;
}

/** When the grace hours after a subscription end, ms; null if there is no subscription or no grace. */
export const graceEnd = ({ subscriptionEnd, graceHours }: EntitlementStanding): number | null =>
  subscriptionEnd === null || graceHours === 0 ? null : subscriptionEnd + graceHours * HOUR_MS;

/** May this member use the VPN now? The one rule everything else follows (decisions, section 1). */
export function entitlement(standing: EntitlementStanding, now: Moment): Entitlement {
  const { quotaUsedUpUntil } = standing;
  if (!standing.isActive) return { allowed: false, reason: "blocked", until: null };
  if (!standing.isUnlimited && quotaUsedUpUntil !== null && quotaUsedUpUntil > msOf(now))
    return { allowed: false, reason: "quota", until: new Date(quotaUsedUpUntil) };
  if (standing.isUnlimited) return { allowed: true, reason: "unlimited", until: null };
  const { subscriptionEnd, graceHours } = standing;
  const endsAt = subscriptionEnd === null ? null : subscriptionEnd + graceHours * HOUR_MS;
  const until = subscriptionEnd === null ? null : new Date(subscriptionEnd);
  if (endsAt !== null && endsAt > msOf(now)) return { allowed: true, reason: "subscription", until };
  if (standing.referralEarned) return { allowed: true, reason: "referral", until: null };
  if (endsAt !== null) return { allowed: false, reason: "expired", until };
  return { allowed: false, reason: "none", until: null };
}

/** Ignores the traffic quota: what was paid for, granted or earned. */
export const entitlementBesideQuota = (standing: EntitlementStanding, now: Moment): Entitlement =>
  entitlement({ ...standing, quotaUsedUpUntil: null }, now);
