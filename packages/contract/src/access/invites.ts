import { INVITE_FIELDS } from "@krug/domain/fields/invite";
import { INVITE_STATES } from "@krug/domain/invite-rules";
import { z } from "zod";
import { answered, changeable, expectedOf, settable } from "../described.ts";
import { endpoint } from "../endpoint.ts";
import { AsViewed, ClubMoment, Id, Named, Page, TablePage, Time, twins } from "../fields.ts";
import { Entitlement, MemberPath, Username } from "../members/members.ts";

/** How staff filter the codes. */
export const INVITE_FILTERS = ["all", ...INVITE_STATES] as const;

const { templateId: _, ...granted } = answered(INVITE_FIELDS);
/** A staff code as staff see it (specification, operator's side 3). */
export const InviteCode = z.object({
  id: Id,
  code: z.string(),
  createdAt: Time,
  ...granted,
  currentUses: z.int().nonnegative(),
  /** The template for members who join by it; null: the default. */
  template: z.object({ id: Id, name: z.string() }).nullable(),
  state: z.enum(INVITE_STATES),
  /** Who made it; null if deleted or not visible to the reader. */
  createdBy: Named.nullable(),
});

/** A member who joined by a code, as a row on the code's page. */
const Newcomer = Named.extend({ joinedAt: Time, isActive: z.boolean(), entitlement: Entitlement });

const { maxUses, interfaces } = settable(INVITE_FIELDS);
const spellings = {
  max_uses: "maxUses",
  expires_at: "expiresAt",
  subscription_days: "subscriptionDays",
  subscription_end_date: "subscriptionEndDate",
} as const;

export const NewInviteCode = twins(
  z.strictObject({ ...changeable(INVITE_FIELDS), maxUses: maxUses.default(1), interfaces }),
  spellings,
);

export const InviteCodeChange = twins(
  z.strictObject({ ...changeable(INVITE_FIELDS), expected: expectedOf(INVITE_FIELDS) }),
  spellings,
);

/** A staff code's id or the code itself (decisions, section 4). */
const CodePath = z.object({ id: z.string().min(1).max(64) });

/** A member's own live code; `code` is absent if there is none. */
const OwnCode = z.object({ code: z.string().optional(), expiresAt: Time.nullable() });

/** A friend who joined with the member's code, and whether they count for the free subscription (decisions, section 4). */
const InvitedFriend = z.object({
  id: Id,
  displayName: z.string(),
  joinedAt: Time,
  /** By payment, grant, unlimited flag or their own friends; a trial does not count. */
  hasActiveSubscription: z.boolean(),
  /** Of the running subscription or trial; null if none runs or it has no end. */
  subscriptionUntil: ClubMoment.nullable(),
  counts: z.boolean(),
  /** Why they do not count yet; null if they do. */
  reasonWhyNot: z.enum(["blocked", "no_subscription", "on_trial", "no_handshake"]).nullable(),
});

const dateRefusals = ["invite.days_or_date", "invite.expires_in_past", "member.subscription_in_past"] as const;

export const invites = {
  own: endpoint("GET /users/{id}/active-invite", {
    access: "member",
    scope: "invites:read",
    summary: "Your live invite code",
    params: MemberPath,
    answer: OwnCode,
    refusals: ["auth.not_yourself", "member.not_found"],
  }),
  makeOwn: endpoint("POST /users/generate-invite", {
    access: "member",
    scope: "invites:write",
    summary: "Create your invite code for a friend: 12 h, single use; asking again returns the live one",
    body: z.strictObject({ userId: Id.optional(), username: Username.optional() }),
    answer: z.object({ code: z.string(), expiresAt: Time }),
    creation: true,
    refusals: [
      "auth.not_yourself",
      "invite.needs_subscription",
      "invite.on_trial",
      "invite.needs_rules",
      "invite.monthly_limit",
      "member.blocked",
    ],
  }),
  invited: endpoint("GET /users/{id}/invited", {
    access: "member",
    scope: "invites:read",
    summary: "The friends you invited, newest first, and which of them count; anyone's for staff",
    params: MemberPath,
    query: z.object(AsViewed),
    answer: z.array(InvitedFriend),
    refusals: ["auth.not_yourself", "member.not_found"],
  }),
  list: endpoint("GET /admin/invite-codes", {
    needs: "invites.see",
    scope: "invites:read",
    summary: "Staff's invite codes, newest first; `q` is a whole code",
    query: z.object({ ...TablePage, state: z.enum(INVITE_FILTERS).default("all"), ...AsViewed }),
    answer: z.array(InviteCode),
    refusals: ["invite.not_found"],
  }),
  /** Beyond the specifications. */
  counts: endpoint("GET /admin/invite-codes/counts", {
    needs: "invites.see",
    scope: "invites:read",
    summary: "How many staff codes are in each state",
    query: z.object(AsViewed),
    answer: z.object(
      Object.fromEntries(INVITE_FILTERS.map((name) => [name, z.int().nonnegative()])) as Record<
        (typeof INVITE_FILTERS)[number],
        z.ZodInt
      >,
    ),
  }),
  /** Beyond the specifications. */
  show: endpoint("GET /admin/invite-codes/{id}", {
    needs: "invites.see",
    scope: "invites:read",
    summary: "One staff code",
    params: CodePath,
    query: z.object(AsViewed),
    answer: InviteCode,
    refusals: ["invite.not_found"],
  }),
  /** Beyond the specifications. */
  newcomers: endpoint("GET /admin/invite-codes/{id}/members", {
    needs: "invites.see",
    scope: "invites:read",
    summary: "Who joined with a code, newest first; a moderator's answer leaves out VIP members",
    params: CodePath,
    query: z.object({ limit: Page.limit, cursor: Page.cursor, ...AsViewed }),
    answer: z.array(Newcomer),
    refusals: ["invite.not_found"],
  }),
  add: endpoint("POST /admin/invite-codes", {
    needs: "invites.create",
    scope: "invites:write",
    summary: "Create an invite code; moderators need an admin to switch that on",
    body: NewInviteCode,
    answer: InviteCode,
    status: 201,
    creation: true,
    refusals: ["auth.forbidden", "interface.unknown", "template.unknown", ...dateRefusals],
  }),
  change: endpoint("PUT /admin/invite-codes/{id}", {
    needs: "invites.change",
    scope: "invites:write",
    summary: "Change an invite code; never reactivates it",
    params: CodePath,
    body: InviteCodeChange,
    answer: InviteCode,
    refusals: [
      "invite.not_found",
      "invite.not_active",
      "invite.changed_meanwhile",
      "interface.unknown",
      "template.unknown",
      ...dateRefusals,
    ],
  }),
  deactivate: endpoint("PUT /admin/invite-codes/{id}/deactivate", {
    needs: "invites.change",
    scope: "invites:write",
    summary: "Deactivate an invite code for good",
    params: CodePath,
    answer: InviteCode,
    refusals: ["invite.not_found"],
  }),
};

export type InvitedFriendAnswer = z.output<typeof InvitedFriend>;
export type InviteCodeAnswer = z.output<typeof InviteCode>;
export type NewInviteCodeInput = z.output<typeof NewInviteCode>;
export type InviteCodeChangeInput = z.output<typeof InviteCodeChange>;
