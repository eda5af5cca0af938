import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { MemberPath } from "../members/members.ts";

/** Seconds until the next code may be tried, 0 for now. */
const RetryAfter = z.int().nonnegative();

/** The session's new token, for API clients; browsers get it as their cookie. The old one works for 30 s more, not elevated. */
const NextToken = z.string();

/** Six digits, or a recovery code where the call allows one. */
const Token = z.string().trim().min(6).max(32);

export const twoFactor = {
  status: endpoint("GET /totp/{id}/status", {
    access: "member",
    summary:
      "Whether two-factor authentication is on; while it is off, the secret, if the password was confirmed recently",
    params: MemberPath,
    answer: z.object({
      enabled: z.boolean(),
      secret: z.string().nullable(),
      /** otpauth:// address for the QR code, with the secret. */
      uri: z.string().nullable(),
      /** Whether this session has passed the check. */
      elevated: z.boolean(),
      retryAfter: RetryAfter,
      recoveryCodesLeft: z.int().nonnegative(),
      /** Whether a passkey passes the check too, at this address. */
      byPasskey: z.boolean(),
    }),
    refusals: ["member.not_found", "auth.not_yourself", "auth.password_required"],
  }),
  enable: endpoint("POST /totp/{id}/enable", {
    access: "member",
    trust: true,
    summary:
      "Turn two-factor authentication on with the given secret and a code; elevates the session and changes its token",
    params: MemberPath,
    body: z.strictObject({ secret: z.string().max(128), token: Token }),
    answer: z.object({ success: z.literal(true), recoveryCodes: z.array(z.string()), token: NextToken }),
    refusals: [
      "member.not_found",
      "auth.not_yourself",
      "two_factor.already_enabled",
      "two_factor.wrong_secret",
      "two_factor.wrong_code",
      "two_factor.locked",
    ],
  }),
  disable: endpoint("POST /totp/{id}/disable", {
    access: "member",
    trust: true,
    summary: "Turn your two-factor authentication off with a code; an elevated admin may reset another's without one",
    params: MemberPath,
    body: z.strictObject({ token: Token.optional() }).optional(),
    answer: z.object({ success: z.literal(true) }),
    refusals: [
      "member.not_found",
      "auth.not_yourself",
      "auth.two_factor_required",
      "two_factor.not_enabled",
      "two_factor.wrong_code",
      "two_factor.locked",
    ],
  }),
  renewCodes: endpoint("POST /totp/{id}/recovery-codes", {
    access: "member",
    trust: true,
    summary: "Replace your recovery codes with ten new ones, with a code from the authenticator",
    params: MemberPath,
    body: z.strictObject({ token: Token }),
    answer: z.object({ recoveryCodes: z.array(z.string()) }),
    refusals: [
      "member.not_found",
      "auth.not_yourself",
      "two_factor.not_enabled",
      "two_factor.wrong_code",
      "two_factor.locked",
    ],
  }),
  verify: endpoint("POST /totp/{id}/verify", {
    access: "member",
    summary: "Check a code or a recovery code; a right one changes the session's token and elevates a staff session",
    params: MemberPath,
    body: z.strictObject({ token: Token }),
    /** A wrong code is an answer, not a refusal; the third one locks. */
    answer: z.object({ valid: z.boolean(), retryAfter: RetryAfter, token: NextToken.nullable() }),
    refusals: ["member.not_found", "auth.not_yourself", "two_factor.not_enabled", "two_factor.locked"],
    whenSuperseded: true,
  }),
};
