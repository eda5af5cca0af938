import { NO_LIMIT } from "./config-rules.ts";
import { type EntitlementStanding, entitlementBesideQuota } from "./entitlement.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, type Moment, msOf } from "./moment.ts";

export const INVITE_CODE_LENGTH = 6;
/** Without 0 O 1 I L, which look alike: 31 letters and digits. */
export const INVITE_ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ23456789";
const INVITE_CODE = new RegExp(`^[${INVITE_ALPHABET}]{${INVITE_CODE_LENGTH}}$`);

/** How long a member's own code is valid. */
export const OWN_CODE_LIFE_MS = 12 * HOUR_MS;
/** The setting's default. */
export const OWN_CODES_PER_MONTH = 10;
export const TRIAL_DAYS = 3;

/** How long the links of many who join at once are valid: they do not all look within a day. */
export const LONGEST_LINK_MS = 14 * DAY_MS;

/** The code as stored, from what a person typed (any case, blanks and hyphens anywhere), or null. */
export function normalizeInviteCode(typed: string): string | null {
  // A code is short: longer input is refused before any work.
  if (typed.length > 64) return null;
  const code = typed.replace(/[\s-]/g, "").toUpperCase();
  return INVITE_CODE.test(code) ? code : null;
}

/** When a trial that starts at `registeredAt` ends, ms since 1970. */
export function trialEndsAt(registeredAt: Moment): number {
  return msOf(registeredAt) + TRIAL_DAYS * DAY_MS;
}

export interface InviteStanding {
  isActive: boolean;
  /** ms since 1970, null when it never expires. */
  expiresAt: number | null;
  /** The fixed end of the subscription that it gives, if any: after that there is nothing left to give. */
  subscriptionEnd: number | null;
  /** NO_LIMIT or at least 1. */
  maxUses: number;
  currentUses: number;
}

export const INVITE_STATES = ["active", "expired", "used", "deactivated"] as const;
export type InviteState = (typeof INVITE_STATES)[number];

/** Only an active code admits anyone. Deactivation by staff is reported before expiry and use. */
export function inviteState(invite: InviteStanding, now: Moment): InviteState {
  if (!invite.isActive) return "deactivated";
  const isOver = (end: number | null) => end !== null && end <= msOf(now);
  if (isOver(invite.expiresAt) || isOver(invite.subscriptionEnd)) return "expired";
  if (invite.maxUses !== NO_LIMIT && invite.currentUses >= invite.maxUses) return "used";
  return "active";
}

/** Wrong codes from one address before it has to wait. */
const WRONG_CODES_BEFORE_BAN = 5;
const FIRST_BAN_MS = 5 * MINUTE_MS;
const LONGEST_BAN_MS = DAY_MS;

/** How long the `count`-th wrong code bans its address, in ms: 5 min at the 5th, doubling each time, at most 24 h. */
export function inviteBan(count: number): number {
  if (count < WRONG_CODES_BEFORE_BAN) return 0;
  return Math.min(FIRST_BAN_MS * 2 ** (count - WRONG_CODES_BEFORE_BAN), LONGEST_BAN_MS);
}

/** What decides whether a member may make an invite code. */
export interface OwnCodeStanding extends EntitlementStanding {
  /** The running subscription is the trial from joining. */
  subscriptionIsTrial: boolean;
  hasAcceptedRules: boolean;
  /** Codes made in the club's current month. */
  ownCodesThisMonth: number;
  /** The setting, default OWN_CODES_PER_MONTH. */
  ownCodesPerMonth: number;
}

export type NoOwnCodeReason =
  | "member.blocked"
  | "invite.needs_subscription"
  | "invite.on_trial"
  | "invite.needs_rules"
  | "invite.monthly_limit";

/** The first reason this member may not make a code now; null if they may (decisions, section 4). */
export function whyNoOwnCode(standing: OwnCodeStanding, now: Moment): NoOwnCodeReason | null {
  if (!standing.isActive) return "member.blocked";
  const { allowed, reason } = entitlementBesideQuota(standing, now);
  if (!allowed) return "invite.needs_subscription";
  if (reason === "subscription" && standing.subscriptionIsTrial && !standing.referralEarned) return "invite.on_trial";
  if (!standing.hasAcceptedRules) return "invite.needs_rules";
  return standing.ownCodesThisMonth >= standing.ownCodesPerMonth ? "invite.monthly_limit" : null;
}
