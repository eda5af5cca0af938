import type { EntitlementAnswer, MemberAnswer } from "@krug/contract/members/members";
import { type Entitlement, entitlement, graceEnd } from "@krug/domain/entitlement";
import { isoOf } from "@krug/domain/moment";
import { staffSubscriptionLabel } from "@krug/domain/subscription-label";
import type { ClubTime } from "../../../platform/club-time.ts";
import type { SealedColumn } from "../../../platform/sealed-columns.ts";
import type { Sealing } from "../../../platform/sealing.ts";
import type { ClubSettings } from "../../club/settings/index.ts";
import { isTelegramConnected, standingOf } from "./standing.ts";
import type { MemberRow } from "./table.ts";

/** What the sealed joining code is bound to: the member's row. */
export const inviteCodePlace = (memberId: string) => `members.invite_code:${memberId}`;
export const sealedInMembers: SealedColumn[] = [
  { table: "members", column: "invite_code", key: ["id"], place: ({ id = "" }) => inviteCodePlace(id) },
];

/** Whether the member may use the VPN, and until when, as the contract shows it. */
export const entitlementAnswer = ({ allowed, reason, until }: Entitlement, clubTime: ClubTime): EntitlementAnswer => ({
  allowed,
  reason,
  until: clubTime.write(until?.getTime()),
});

/** A row as the contract shows it. `seesInviteCode` is for staff only: members do not see the code they joined with. */
export function makeToAnswer(sealing: Sealing, clubTime: ClubTime) {
  return (
    row: MemberRow,
    { club, now, seesInviteCode }: { club: ClubSettings; now: Date; seesInviteCode: boolean },
  ): MemberAnswer => {
    const subscriptionEnd = clubTime.write(row.subscription_end);
    const inviteCode =
      seesInviteCode && row.invite_code !== null ? sealing.open(inviteCodePlace(row.id), row.invite_code) : null;
    const createdAt = isoOf(row.created_at);
    return {
      id: row.id,
      username: row.username,
      displayName: row.display_name,
      display_name: row.display_name,
      role: row.role,
      pendingRole: row.pending_role,
      isActive: row.is_active === 1,
      is_active: flag(row.is_active),
      isVip: row.is_vip === 1,
      is_vip: flag(row.is_vip),
      isUnlimited: row.is_unlimited === 1,
      is_unlimited: flag(row.is_unlimited),
      vpnConfigLimit: row.config_limit,
      vpn_config_limit: row.config_limit,
      quotaBytes: row.quota_bytes,
      quotaAtEnd: row.quota_at_end,
      subscriptionEnd,
      subscription_end: subscriptionEnd,
      isTrial: row.subscription_source === "trial",
      isByReferral: staffSubscriptionLabel(standingOf(row, club), now).key === "referral",
      graceUntil: clubTime.write(graceEnd(standingOf(row, club))),
      entitlement: entitlementAnswer(entitlement(standingOf(row, club), now), clubTime),
      hasAcceptedRules: row.accepted_rules_at !== null,
      telegramConnected: isTelegramConnected(row),
      inviteCode,
      invite_code: inviteCode,
      createdAt,
      created_at: createdAt,
    };
  };
}

const flag = (value: number) => (value === 1 ? 1 : 0);
