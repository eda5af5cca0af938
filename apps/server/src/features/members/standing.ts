import type { EntitlementStanding } from "@krug/domain/entitlement";
import type { ClubSettings } from "../settings/index.ts";
import type { MemberRow } from "./table.ts";

/** What the entitlement rule needs of a member, with the club's settings. */
export const standingOf = (member: MemberRow, settings: ClubSettings): EntitlementStanding => ({
  isActive: member.is_active === 1,
  isUnlimited: member.is_unlimited === 1,
  subscriptionEnd: member.subscription_end,
  graceHours: settings.graceHours,
  // Nobody earns by referral until friends' activity is counted.
  referralEarned: false,
});
