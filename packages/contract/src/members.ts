import { z } from "zod";
import { endpoint, nothing } from "./endpoint.ts";
import { Flag, FlagNumber, Id, Page, Time, TimeOrDay, twins } from "./fields.ts";

export const Role = z.enum(["user", "moderator", "admin"]);

/** Whether the member may use the VPN now, and why (decisions, section 1). */
export const Entitlement = z.object({
  allowed: z.boolean(),
  reason: z.enum(["blocked", "unlimited", "subscription", "referral", "expired", "none"]),
  until: Time.nullable(),
});

/** A member as staff and the member himself see him, in the specification's twin spellings. */
export const Member = z.object({
  id: Id,
  username: z.string(),
  displayName: z.string(),
  display_name: z.string(),
  role: Role,
  isActive: z.boolean(),
  is_active: FlagNumber,
  isVip: z.boolean(),
  is_vip: FlagNumber,
  isUnlimited: z.boolean(),
  is_unlimited: FlagNumber,
  /** -1 = unlimited. */
  vpnConfigLimit: z.int(),
  vpn_config_limit: z.int(),
  subscriptionEnd: Time.nullable(),
  subscription_end: Time.nullable(),
  entitlement: Entitlement,
  hasAcceptedRules: z.boolean(),
  telegramConnected: z.boolean(),
  /** The code the member joined with; null in a member's own answers. */
  inviteCode: z.string().nullable(),
  invite_code: z.string().nullable(),
  createdAt: Time,
  created_at: Time,
});

/** A member's id or username; the id is tried first (decisions, section 2). */
export const MemberPath = z.object({ id: z.string().min(1).max(64) });

/** A one-time link to set a password. */
export const PasswordLink = z.object({ link: z.url(), expiresAt: Time });

/** Checked by the account rules, which name what is wrong. */
export const Username = z.string().max(64);
export const Password = z.string().max(1024);
const ConfigLimit = z.int().min(-1).max(10_000);

export const NewMember = twins(
  z.strictObject({
    username: Username,
    displayName: z.string().max(200).optional(),
    role: Role.optional(),
    subscriptionEnd: TimeOrDay.nullish(),
    vpnConfigLimit: ConfigLimit.optional(),
  }),
  { display_name: "displayName", subscription_end: "subscriptionEnd", vpn_config_limit: "vpnConfigLimit" },
);

export const MemberChange = twins(
  z.strictObject({
    role: Role.optional(),
    isVip: Flag.optional(),
    isActive: Flag.optional(),
    /** With isActive: also mark the member's configs blocked, or lift that. */
    blockConfigs: Flag.optional(),
    displayName: z.string().max(200).optional(),
    vpnConfigLimit: ConfigLimit.optional(),
    isUnlimited: Flag.optional(),
    /** Not earlier than today; null clears it. */
    subscriptionEnd: TimeOrDay.nullish(),
  }),
  {
    is_vip: "isVip",
    is_active: "isActive",
    block_configs: "blockConfigs",
    display_name: "displayName",
    vpn_config_limit: "vpnConfigLimit",
    is_unlimited: "isUnlimited",
    subscription_end: "subscriptionEnd",
  },
);

export const members = {
  list: endpoint({
    method: "GET",
    path: "/users",
    access: "staff",
    summary: "Members, by name; VIP members are left out of a moderator's answer",
    query: z.object({ ...Page, state: z.enum(["all", "active", "blocked"]).default("all") }),
    answer: z.array(Member),
  }),
  add: endpoint({
    method: "POST",
    path: "/users",
    access: "admin",
    summary: "Add a member; answers a one-time link to set the password",
    body: NewMember,
    answer: z.object({ user: Member, ...PasswordLink.shape }),
    status: 201,
    creation: true,
    refusals: [
      "member.username_invalid",
      "member.username_taken",
      "member.display_name_invalid",
      "member.subscription_in_past",
    ],
  }),
  show: endpoint({
    method: "GET",
    path: "/users/{id}",
    access: "member",
    summary: "One member: oneself, or anyone for staff",
    params: MemberPath,
    answer: Member,
    refusals: ["member.not_found"],
  }),
  change: endpoint({
    method: "PUT",
    path: "/users/{id}",
    access: "admin",
    summary: "Change a member's role, state, limit or subscription",
    params: MemberPath,
    body: MemberChange,
    answer: Member,
    refusals: ["member.not_found", "member.last_admin", "member.display_name_invalid", "member.subscription_in_past"],
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/users/{id}",
    access: "admin",
    summary: "Delete a member: configs and secrets at once, a nameless tombstone stays",
    params: MemberPath,
    answer: nothing,
    refusals: ["member.not_found", "member.last_admin"],
  }),
  passwordLink: endpoint({
    method: "POST",
    path: "/users/{id}/password-link",
    access: "admin",
    summary: "A one-time link, valid 24 h, with which the member sets a new password",
    params: MemberPath,
    answer: PasswordLink,
    creation: true,
    refusals: ["member.not_found"],
  }),
  changePassword: endpoint({
    method: "POST",
    path: "/users/change-password",
    access: "member",
    summary: "Change one's own password; ends the other sessions",
    body: z.strictObject({ username: Username.optional(), currentPassword: Password, newPassword: Password }),
    answer: z.object({ success: z.literal(true) }),
    refusals: [
      "auth.not_yourself",
      "auth.too_many_attempts",
      "password.wrong_current",
      "password.same",
      "password.too_short",
      "password.too_long",
      "password.common",
    ],
  }),
  acceptRules: endpoint({
    method: "POST",
    path: "/users/accept-rules",
    access: "member",
    summary: "Accept the club rules",
    answer: Member,
  }),
};

export type MemberAnswer = z.output<typeof Member>;
export type NewMemberInput = z.output<typeof NewMember>;
export type MemberChangeInput = z.output<typeof MemberChange>;
