import { randomUUID } from "node:crypto";
import { isReservedUsername, whyNotDisplayName, whyNotUsername } from "@krug/domain/account-rules";
import { firstColumns } from "@krug/domain/fields/field";
import { MEMBER_FIELDS } from "@krug/domain/fields/member";
import { refuse } from "../../../platform/refusal.ts";
import type { ClubSettings } from "../../club/settings/index.ts";
import type { MemberRow } from "./table.ts";

/** A new member on the standard plan without a subscription; `member` overrides any of it. */
export function newMemberRow(member: Pick<MemberRow, "username" | "created_at"> & Partial<MemberRow>): MemberRow {
  return {
    ...firstColumns(MEMBER_FIELDS),
    id: randomUUID(),
    username_key: member.username.toLowerCase(),
    display_name: member.username,
    password_hash: null,
    staff_password: 0,
    quota_used_up_until: null,
    quota_slowed_until: null,
    accepted_rules_at: null,
    telegram_id: null,
    telegram_name: null,
    telegram_language: null,
    telegram_blocked_at: null,
    invited_by: null,
    invite_code_id: null,
    friend_of: null,
    referral_earned_at: null,
    settled_period: "",
    invite_code: null,
    deleted_at: null,
    ...member,
  };
}

type Share = Pick<MemberRow, "config_limit" | "quota_bytes" | "quota_at_end" | "quota_slow_mbit" | "speed_mbit">;

/** What a new member gets: by the template, else by the club's settings. */
export const newcomersShare = (club: ClubSettings, template: Share | undefined): Share => ({
  config_limit: template?.config_limit ?? club.newMemberConfigLimit,
  quota_bytes: template === undefined ? club.newMemberQuotaBytes : template.quota_bytes,
  quota_at_end: template?.quota_at_end ?? club.newMemberQuotaAtEnd,
  quota_slow_mbit: template?.quota_slow_mbit ?? club.newMemberQuotaSlowMbit,
  speed_mbit: template?.speed_mbit ?? null,
});

export function refuseBadUsername(username: string): void {
  if (whyNotUsername(username) !== null) refuse("member.username_invalid", { field: "username" });
  if (isReservedUsername(username)) refuse("member.username_taken", { field: "username" });
}

/** The display name as stored: trimmed. */
export function checkedDisplayName(displayName: string): string {
  const name = displayName.trim();
  if (whyNotDisplayName(name) !== null) refuse("member.display_name_invalid", { field: "displayName" });
  return name;
}
