import { AUDIT_ACTIONS, type AuditAction } from "@krug/domain/audit-actions";
import { MEMBER_FIELDS } from "@krug/domain/fields/member";
import { z } from "zod";
import { answered, changeable, expectedOf, withSpellings } from "../described.ts";
import { endpoint } from "../endpoint.ts";
import {
  AsViewed,
  ClubMoment,
  Flag,
  Id,
  Milliseconds,
  Named,
  NamedGroup,
  Page,
  StaffMessage,
  TablePage,
  Time,
} from "../fields.ts";
import { WrittenSum } from "../money/sums.ts";
import { Act, Undone, UndoWish } from "../undo.ts";
import { OwnQuota } from "../vpn/traffic.ts";

export const Role = z.enum(["user", "moderator", "admin"]);

/** Whether the member may use the VPN now, and why (decisions, section 1). */
export const Entitlement = z.object({
  allowed: z.boolean(),
  reason: z.enum(["blocked", "quota", "unlimited", "subscription", "referral", "expired", "none"]),
  until: ClubMoment.nullable(),
});

/** A member as staff and the member see it, with the specification's twin spellings. */
export const Member = z.object({
  id: Id,
  ...answered(MEMBER_FIELDS),
  /** What runs or ran until then is the trial of a newcomer. */
  isTrial: z.boolean(),
  /** Invited friends earn the subscription, whatever was used of a quota. */
  isByReferral: z.boolean(),
  /** Until when the devices work after `subscriptionEnd`; null: the club adds nothing, or there is no subscription. */
  graceUntil: ClubMoment.nullable(),
  entitlement: Entitlement,
  hasAcceptedRules: z.boolean(),
  telegramConnected: z.boolean(),
  /** The code the member joined with; null in answers to the member. */
  inviteCode: z.string().nullable(),
  invite_code: z.string().nullable(),
});

/** A member with a summary of their devices, as a row of staff's list. */
const ListedMember = Member.extend({
  configCount: z.int().nonnegative(),
  /** The last handshake of any of their devices, ms since 1970; null if there never was one. */
  lastHandshake: Milliseconds.nullable(),
  /** Bytes their devices received and sent in the last 30 days of the club's calendar, including deleted devices. */
  monthBytes: z.int().nonnegative(),
  /** What staff noted about them. */
  noteCount: z.int().nonnegative(),
  /** The groups that they are in, by name. */
  groups: z.array(NamedGroup),
});

/** What staff can sort the members by; `name` is the display name, then the username. Unlimited subscriptions sort last by end; members without one sort first. */
const MemberSort = z.enum(["name", "subscription", "lastHandshake", "monthBytes", "createdAt"]);

/** What narrows staff's list of members besides `q`; everything given must hold. */
const MemberFilter = {
  state: z.enum(["all", "active", "blocked"]).default("all"),
  /** `soon`: ends within 7 days. `ended`: read as 'Истекла'. `trial`: a newcomer's that still runs. */
  ends: z.enum(["any", "soon", "ended", "trial", "unlimited"]).default("any"),
  role: Role.optional(),
  /** `online`: a device is connected now. `full`: the member has as many configs as allowed. */
  devices: z.enum(["any", "online", "full"]).default("any"),
  /** Only members of this group. */
  group: Id.optional(),
};

/** What staff did to a member, newest first; a moderator does not see what the audit log hides from moderators. */
const MemberHistory = z.object({
  at: Time,
  action: z.enum(Object.keys(AUDIT_ACTIONS) as AuditAction[]),
  /** Who did it; null for the panel itself and for deleted people. */
  by: Named.nullable(),
  /** Only what changed. */
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
});

/** A member's id or username; the id is tried first (decisions, section 2). */
export const MemberPath = z.object({ id: z.string().min(1).max(64) });

/** A one-time link for setting a password. */
export const OneTimeLink = z.object({ link: z.url(), expiresAt: Time });

/** The account rules check it and name what is wrong. */
export const Username = z.string().max(64);
export const Password = z.string().max(1024);

const { displayName: _, ...changes } = changeable(MEMBER_FIELDS);
/** The account rules check it and name what is wrong. */
const displayName = z.string().max(MEMBER_FIELDS.displayName.most).optional();
const { role, subscriptionEnd, vpnConfigLimit } = changes;

export const NewMember = withSpellings(
  z.strictObject({
    username: Username,
    displayName,
    role,
    subscriptionEnd,
    vpnConfigLimit,
    /** What they begin with; without one it is the default's. */
    templateId: Id.nullish(),
  }),
  MEMBER_FIELDS,
);

export const MemberChange = withSpellings(
  z.strictObject({
    ...changes,
    displayName,
    /** Blocks the member's configs, including future ones, or unblocks them; `isActive: true` unblocks them too. */
    blockConfigs: Flag.optional(),
    /** Counts the month's traffic from zero again. */
    resetQuota: Flag.optional(),
    expected: expectedOf(MEMBER_FIELDS),
  }),
  MEMBER_FIELDS,
  { block_configs: "blockConfigs" },
);

const BulkChange = {
  action: z.enum(["block", "unblock", "extend", "message", "join", "leave", "limit", "template"]),
  /** With 'join' and 'leave': the group. */
  groupId: Id.optional(),
  /** With 'template': what each of them gets, as new members do. */
  templateId: Id.optional(),
  /** With 'limit': how many configs each of them may have; -1: any number. */
  vpnConfigLimit,
  /** With 'message': an admin's own words, which go to the members' notices. */
  message: StaffMessage.optional(),
  /** With 'block': also block their configs. */
  blockConfigs: Flag.optional(),
  /** With 'extend': days added to the later of now and the subscription's end, to the end of that day. */
  days: z.int().min(1).max(3_660).default(30),
  /** With 'extend': what each of them paid for it, in the club's currency; absent: a gift. */
  amount: WrittenSum.nullish(),
  /** With 'extend': the press that the call belongs to, to undo it by. */
  act: Act.optional(),
};

/** What an action cannot do without. */
const NEEDED: Partial<Record<string, "message" | "groupId" | "vpnConfigLimit" | "templateId">> = {
  message: "message",
  join: "groupId",
  leave: "groupId",
  limit: "vpnConfigLimit",
  template: "templateId",
};
const hasItsField: z.core.CheckFn<{ action: string } & Record<string, unknown>> = ({ value, issues }) => {
  const needed = NEEDED[value.action];
  if (needed !== undefined && value[needed] === undefined)
    issues.push({ code: "custom", path: [needed], input: value, message: needed });
};

export const members = {
  list: endpoint("GET /users", {
    needs: "members.see",
    scope: "members:read",
    summary: "Members, by name; a moderator's answer leaves out VIP members",
    query: z.object({
      ...TablePage,
      ...MemberFilter,
      sort: MemberSort.default("name"),
      order: z.enum(["asc", "desc"]).default("asc"),
      ...AsViewed,
    }),
    answer: z.array(ListedMember),
  }),
  /** Beyond the specifications. */
  counts: endpoint("GET /admin/users/counts", {
    needs: "members.see",
    scope: "members:read",
    summary: "How many members match the filters and how many of them are blocked",
    query: z.object({
      q: Page.q,
      ends: MemberFilter.ends,
      role: MemberFilter.role,
      devices: MemberFilter.devices,
      group: MemberFilter.group,
      ...AsViewed,
    }),
    answer: z.object({
      all: z.int().nonnegative(),
      active: z.int().nonnegative(),
      blocked: z.int().nonnegative(),
    }),
  }),
  /** Beyond the specifications. */
  file: endpoint("GET /admin/users/{id}", {
    needs: "members.see",
    scope: "members:read",
    summary: "All that staff see of a member: usage, inviter, sessions and what staff did",
    params: MemberPath,
    query: z.object(AsViewed),
    answer: z.object({
      member: ListedMember,
      /** Null without a quota. */
      quota: OwnQuota.nullable(),
      /**
       * Who invited them with a personal code, or made the staff code they used; null if deleted or not visible to the
       * reader.
       */
      invitedBy: Named.nullable(),
      joinedBy: z.enum(["friend", "staff_code", "added"]),
      /** The template that they began with, as it was called then; null if there was none. */
      template: z.string().nullable(),
      /** False until the member sets one through the link. */
      hasPassword: z.boolean(),
      twoFactorEnabled: z.boolean(),
      passkeyCount: z.int().nonnegative(),
      /** Newest first; the address is not stored. */
      sessions: z.array(z.object({ id: Id, createdAt: Time, lastSeenAt: Time, device: z.string().nullable() })),
      history: z.array(MemberHistory),
    }),
    refusals: ["member.not_found"],
  }),
  /** Beyond the specifications. */
  endSessions: endpoint("DELETE /admin/users/{id}/sessions", {
    needs: "members.change",
    summary: "End all sessions of a member; your own current one stays",
    params: MemberPath,
    refusals: ["member.not_found"],
  }),
  /** Beyond the specifications. */
  leaveStaff: endpoint("POST /admin/users/{id}/leave-staff", {
    needs: "members.change",
    trust: true,
    summary:
      "A member of staff left: role, sessions, API tokens, two-factor, passkeys and invite codes end, and their conversations are free, all at once",
    params: MemberPath,
    body: z.strictObject({
      /** Blocks the account too; otherwise they stay a member. */
      block: Flag.default(false),
    }),
    answer: Member,
    refusals: ["member.not_found", "member.not_staff", "member.last_admin", "member.not_others"],
  }),
  /** Beyond the specifications. */
  changeMany: endpoint("POST /admin/users/bulk", {
    needs: "members.change",
    scope: "members:write",
    summary:
      "Block, unblock or write to many members at once, extend their subscriptions, set their config limit, or put them into or out of a group; returns who was left out and why. An Idempotency-Key header makes a repeated request safe",
    body: z.strictObject({ ids: z.array(Id).min(1).max(1000), ...BulkChange }).check(hasItsField),
    answer: z.object({
      changed: z.array(Id),
      refused: z.array(z.object({ id: Id, code: z.string(), message: z.string() })),
    }),
    refusals: ["request.idempotency_mismatch", "group.unknown", "template.unknown"],
  }),
  /** Beyond the specifications. */
  changeMatching: endpoint("POST /admin/users/bulk/matching", {
    needs: "members.change",
    scope: "members:write",
    summary:
      "The same for all members that match the filters, some at a time: repeat with `after` from the answer until it is null",
    body: z
      .strictObject({ matching: z.strictObject({ q: Page.q, ...MemberFilter }), after: Id.nullable(), ...BulkChange })
      .check(hasItsField),
    answer: z.object({
      /** How many members were changed by this call. */
      changed: z.int().nonnegative(),
      refused: z.array(Named.extend({ code: z.string(), message: z.string() })),
      after: Id.nullable(),
    }),
    refusals: ["request.idempotency_mismatch", "group.unknown", "template.unknown"],
  }),
  /** Beyond the specifications. */
  undo: endpoint("POST /admin/users/undo", {
    needs: "members.change",
    scope: "members:write",
    summary:
      "Undo what you extended with this `act` in the last 10 seconds, some members at a time: repeat with `after` from the answer until it is null; returns who stays as they are and why",
    body: UndoWish,
    answer: Undone,
    refusals: ["undo.nothing", "undo.too_late"],
  }),
  add: endpoint("POST /users", {
    needs: "members.change",
    scope: "members:write",
    trust: { role: { unless: "user" } },
    summary: "Add a member; returns a one-time link for setting the password",
    body: NewMember,
    answer: z.object({ user: Member, ...OneTimeLink.shape }),
    status: 201,
    creation: true,
    refusals: [
      "member.username_invalid",
      "member.username_taken",
      "member.display_name_invalid",
      "member.subscription_in_past",
      "template.unknown",
    ],
  }),
  show: endpoint("GET /users/{id}", {
    access: "member",
    scope: "members:read",
    summary: "One member: yourself, or anyone for staff",
    params: MemberPath,
    answer: Member,
    refusals: ["member.not_found"],
  }),
  change: endpoint("PUT /users/{id}", {
    needs: "members.change",
    scope: "members:write",
    trust: { role: true },
    summary: "Change a member's role, state, limit or subscription",
    params: MemberPath,
    body: MemberChange,
    answer: Member,
    refusals: [
      "member.not_found",
      "member.last_admin",
      "member.display_name_invalid",
      "member.subscription_in_past",
      "member.changed_meanwhile",
    ],
  }),
  remove: endpoint("DELETE /users/{id}", {
    needs: "members.delete",
    summary: "Delete a member: configs and secrets go at once, a nameless tombstone stays",
    params: MemberPath,
    refusals: ["member.not_found", "member.last_admin"],
  }),
  passwordLink: endpoint("POST /users/{id}/password-link", {
    needs: "members.send_password_link",
    trust: true,
    summary:
      "Create a one-time link, valid 24 h, with which the member sets a new password; moderators need an admin to switch that on, and cannot make links for staff",
    params: MemberPath,
    answer: OneTimeLink,
    creation: true,
    refusals: ["auth.forbidden", "member.not_found"],
  }),
  changePassword: endpoint("POST /users/change-password", {
    access: "member",
    summary: "Change your own password; ends your other sessions",
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
  acceptRules: endpoint("POST /users/accept-rules", {
    access: "member",
    summary: "Accept the club rules",
    answer: Member,
  }),
};

export type ListedMemberAnswer = z.output<typeof ListedMember>;
export type MemberHistoryAnswer = z.output<typeof MemberHistory>;
export type EntitlementAnswer = z.output<typeof Entitlement>;
export type MemberAnswer = z.output<typeof Member>;
export type NewMemberInput = z.output<typeof NewMember>;
export type MemberChangeInput = z.output<typeof MemberChange>;
