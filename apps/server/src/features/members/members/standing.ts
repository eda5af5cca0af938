import type { EntitlementStanding } from "@krug/domain/entitlement";
import { lowerSpeed } from "@krug/domain/speed-rules";
import type { ClubSettings } from "../../club/settings/index.ts";
import type { MemberRow } from "./table.ts";

/** What the entitlement rule needs of a member, with the club's settings. */
export const standingOf = (
  member: Pick<
    MemberRow,
    "is_active" | "is_unlimited" | "subscription_end" | "referral_earned_at" | "quota_used_up_until"
  >,
  settings: ClubSettings,
): EntitlementStanding => ({
  isActive: member.is_active === 1,
  isUnlimited: member.is_unlimited === 1,
  subscriptionEnd: member.subscription_end,
  graceHours: settings.graceHours,
  referralEarned: member.referral_earned_at !== null,
  quotaUsedUpUntil: member.quota_used_up_until,
});

/** A member who blocked the bot is not connected, although the account stays linked. */
export const isTelegramConnected = (member: Pick<MemberRow, "telegram_id" | "telegram_blocked_at">): boolean =>
  member.telegram_id !== null && member.telegram_blocked_at === null;

/** The role whose password rules apply: the current one, or the one that waits for a longer password. */
export const promisedRole = ({ role, pending_role }: Pick<MemberRow, "role" | "pending_role">) => pending_role ?? role;

/** How fast a member is once their quota is used up, Mbit/s; null unless its end slows down. */
export const slowedTo = ({
  quota_at_end,
  quota_slow_mbit,
  speed_mbit,
}: Pick<MemberRow, "quota_at_end" | "quota_slow_mbit" | "speed_mbit">) =>
  quota_at_end === "slow" ? lowerSpeed(quota_slow_mbit, speed_mbit) : null;

/** How fast a member is now that their quota is used up, and until when (ms); null while nothing slows them down. */
export function slowedNow(member: MemberRow, now: number): { mbit: number; until: number } | null {
  const mbit = slowedTo(member);
  const until = member.is_unlimited === 1 ? null : member.quota_slowed_until;
  return mbit !== null && until !== null && until > now ? { mbit, until } : null;
}
