import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { Flag, Id, Milliseconds, Time } from "../fields.ts";
import { Member, Password, Username } from "../members/members.ts";

/** `token` is for API clients; browsers use the HttpOnly cookie set with it. */
export const SignedIn = z.object({ token: z.string(), user: Member });

const Credentials = z.strictObject({ username: Username, password: Password });
const passwordRefusals = ["password.too_short", "password.too_long", "password.common"] as const;
const gateRefusals = ["security.region", "security.vpn", "security.unmet"] as const;

/** A session as its owner sees it. Its address is not stored. */
export const Session = z.object({
  id: Id,
  current: z.boolean(),
  createdAt: Time,
  lastSeenAt: Time,
  /** The browser's own description of itself, shortened. */
  device: z.string().nullable(),
});

export const auth = {
  login: endpoint("POST /auth/login", {
    access: "public",
    summary: "Sign in with username and password",
    body: Credentials,
    answer: SignedIn,
    refusals: ["auth.wrong_credentials", "auth.too_many_attempts", "member.blocked", "maintenance.on", ...gateRefusals],
    duringMaintenance: true,
    whenSuperseded: true,
  }),
  register: endpoint("POST /auth/register", {
    access: "public",
    summary: "Create an account with an invite code",
    body: z.strictObject({ username: Username, password: Password, inviteCode: z.string().max(64) }),
    answer: SignedIn,
    status: 201,
    refusals: [
      "invite.wrong_code",
      "invite.banned",
      "member.username_invalid",
      "member.username_taken",
      "joining.address_limit",
      "joining.code_limit",
      "joining.names_limit",
      ...passwordRefusals,
      "maintenance.on",
      ...gateRefusals,
    ],
  }),
  checkInvite: endpoint("POST /auth/check-invite", {
    access: "public",
    summary: "Whether an invite code can be used; the server counts wrong codes",
    body: z.strictObject({ code: z.string().max(64) }),
    answer: z.object({ valid: z.boolean() }),
    refusals: ["invite.wrong_code", "invite.banned", "maintenance.on"],
  }),
  inviteAttempts: endpoint("GET /auth/invite-attempts", {
    access: "public",
    summary: "Wrong invite codes from this address and the ban, if any",
    answer: z.object({ count: z.int().nonnegative(), bannedUntil: Milliseconds.nullable() }),
    duringMaintenance: true,
  }),
  noteInviteAttempt: endpoint("POST /auth/invite-attempts", {
    access: "public",
    summary: "Kept for compatibility: answers the state and never lowers the count",
    body: z.strictObject({ valid: Flag }),
    answer: z.object({ count: z.int().nonnegative(), bannedUntil: Milliseconds.nullable() }),
  }),
  checkRole: endpoint("POST /auth/check-role", {
    access: "public",
    summary: "Whether these credentials belong to staff; counts as a sign-in attempt",
    body: Credentials,
    answer: z.object({ isAdminOrModerator: z.boolean() }),
    refusals: ["auth.wrong_credentials", "auth.too_many_attempts", ...gateRefusals],
    duringMaintenance: true,
  }),
  logout: endpoint("POST /auth/logout", {
    access: "public",
    summary: "End this session; does nothing without one",
    duringMaintenance: true,
    whenSuperseded: true,
  }),
  me: endpoint("GET /auth/me", {
    access: "member",
    scope: "profile:read",
    summary: "Who is signed in",
    answer: Member,
  }),
  confirmPassword: endpoint("POST /auth/confirm-password", {
    access: "member",
    summary: "Confirm your password, for calls that refuse with auth.password_required; counts as a sign-in attempt",
    body: z.strictObject({ password: Password }),
    refusals: ["password.wrong_current", "auth.too_many_attempts"],
  }),
  sessions: endpoint("GET /auth/sessions", {
    access: "member",
    summary: "Your active sessions, newest first",
    answer: z.array(Session),
  }),
  endOtherSessions: endpoint("DELETE /auth/sessions", {
    access: "member",
    summary: "End all your sessions except this one",
  }),
  endSession: endpoint("DELETE /auth/sessions/{id}", {
    access: "member",
    summary: "End one of your sessions",
    refusals: ["session.not_found"],
  }),
  setup: endpoint("POST /auth/setup", {
    access: "public",
    summary: "Create the first admin with the one-time link that the first start printed",
    body: z.strictObject({ token: z.string().max(200), username: Username, password: Password }),
    answer: SignedIn,
    status: 201,
    refusals: ["auth.link_invalid", "member.username_invalid", ...passwordRefusals],
  }),
  setPassword: endpoint("POST /auth/set-password", {
    access: "public",
    summary: "Set a password with a one-time link; ends all sessions of the account",
    body: z.strictObject({ token: z.string().max(200), password: Password }),
    answer: z.object({ username: z.string() }),
    refusals: ["auth.link_invalid", ...passwordRefusals],
  }),
};

export type SessionAnswer = z.output<typeof Session>;
