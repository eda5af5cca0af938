import { MOST_PASSKEY_NAME, MOST_PASSKEYS } from "@krug/domain/passkey-rules";
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { Id, line, Time } from "../fields.ts";
import { MemberPath } from "../members/members.ts";
import { SignedIn } from "./auth.ts";

/** WebAuthn's JSON writes bytes as base64url. */
const bytes = (most: number) =>
  z
    .string()
    .regex(/^[\w-]+$/)
    .max(Math.ceil((most * 4) / 3));
/** At most 1023 bytes (WebAuthn, section 4). */
const CredentialId = bytes(1_023);

/** `navigator.credentials.create()`'s answer. */
const Attested = z.strictObject({
  id: CredentialId,
  clientDataJSON: bytes(2_048),
  attestationObject: bytes(16_384),
  transports: z.array(z.string().max(20)).max(10),
});
/** `navigator.credentials.get()`'s answer. */
const Asserted = z.strictObject({
  id: CredentialId,
  clientDataJSON: bytes(2_048),
  authenticatorData: bytes(1_024),
  signature: bytes(1_024),
  userHandle: bytes(64).nullable(),
});

const known = { id: z.string(), type: z.literal("public-key"), transports: z.array(z.string()) };
/** What to give `navigator.credentials.create()`. */
const ToAttest = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ type: z.literal("public-key"), alg: z.int() })),
  timeout: z.int(),
  excludeCredentials: z.array(z.object(known)),
  authenticatorSelection: z.object({
    residentKey: z.literal("required"),
    requireResidentKey: z.literal(true),
    userVerification: z.literal("required"),
  }),
  attestation: z.literal("none"),
});
/** What to give `navigator.credentials.get()`. */
const ToAssert = z.object({
  rpId: z.string(),
  challenge: z.string(),
  timeout: z.int(),
  /** Empty at sign-in: the authenticator knows whose it is. */
  allowCredentials: z.array(z.object(known)),
  userVerification: z.literal("required"),
});

/** A passkey as its owner sees it. */
const Passkey = z.object({
  id: Id,
  name: z.string(),
  /** Where it works: browsers offer it at no other address of the club. */
  host: z.string(),
  createdAt: Time,
  lastUsedAt: Time.nullable(),
});

const unusable = ["passkey.no_address", "passkey.not_accepted"] as const;
const unproven = [...unusable, "passkey.copied"] as const;
const gateRefusals = ["security.region", "security.vpn", "security.unmet"] as const;

/** Signing in by fingerprint, face or PIN (WebAuthn) as well as by password. No token reaches these calls. */
export const passkeys = {
  askToSignIn: endpoint("POST /auth/passkey/options", {
    access: "public",
    summary: "What to sign with a passkey to sign in, within five minutes and once",
    answer: ToAssert,
    refusals: ["passkey.no_address", "request.too_many"],
    duringMaintenance: true,
    whenSuperseded: true,
  }),
  signIn: endpoint("POST /auth/passkey", {
    access: "public",
    summary: "Sign in with a passkey, without a username; counts as a sign-in attempt if it is refused",
    body: Asserted,
    answer: SignedIn,
    refusals: [...unproven, "request.too_many", "member.blocked", "maintenance.on", ...gateRefusals],
    duringMaintenance: true,
    whenSuperseded: true,
  }),
  list: endpoint("GET /passkeys", {
    access: "member",
    summary: "Your passkeys, newest first, and the host at which new ones would work",
    answer: z.object({
      /** Null: not at this panel, whose address is not https or has no name. */
      host: z.string().nullable(),
      passkeys: z.array(Passkey).max(MOST_PASSKEYS),
    }),
  }),
  askToAdd: endpoint("POST /passkeys/options", {
    access: "member",
    trust: true,
    summary: "What to give a new passkey to sign, within five minutes and once",
    answer: ToAttest,
    refusals: ["passkey.no_address", "passkey.too_many"],
  }),
  add: endpoint("POST /passkeys", {
    access: "member",
    trust: true,
    summary: "Add a passkey to your account",
    body: Attested.extend({ name: line(MOST_PASSKEY_NAME).optional() }),
    answer: Passkey,
    status: 201,
    creation: true,
    refusals: [...unusable, "passkey.too_many", "passkey.already_added"],
  }),
  rename: endpoint("PUT /passkeys/{id}", {
    access: "member",
    summary: "Rename one of your passkeys",
    body: z.strictObject({ name: line(MOST_PASSKEY_NAME) }),
    answer: Passkey,
    refusals: ["passkey.not_found"],
  }),
  remove: endpoint("DELETE /passkeys/{id}", {
    access: "member",
    trust: true,
    summary: "Remove one of your passkeys: it no longer signs in",
    refusals: ["passkey.not_found"],
  }),
  askToEnter: endpoint("POST /passkeys/entry/options", {
    access: "member",
    summary: "What to sign with one of your passkeys to pass the two-factor check",
    answer: ToAssert,
    refusals: ["passkey.no_address", "passkey.none", "two_factor.not_enabled"],
    whenSuperseded: true,
  }),
  enter: endpoint("POST /passkeys/entry", {
    access: "member",
    summary: "Pass the two-factor check with a passkey; changes the session's token and elevates a staff session",
    body: Asserted,
    /** For API clients; browsers get it as their cookie. */
    answer: z.object({ token: z.string() }),
    refusals: [...unproven, "two_factor.not_enabled"],
    whenSuperseded: true,
  }),
  reset: endpoint("DELETE /admin/users/{id}/passkeys", {
    needs: "members.reset_two_factor",
    trust: true,
    summary: "Remove all passkeys of a member and end their sessions",
    params: MemberPath,
    refusals: ["member.not_found", "passkey.none"],
  }),
};

export type PasskeyAnswer = z.output<typeof Passkey>;
export type AttestedInput = z.output<typeof Attested>;
export type AssertedInput = z.output<typeof Asserted>;
