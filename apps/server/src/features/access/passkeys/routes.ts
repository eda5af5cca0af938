import type { PasskeyAnswer } from "@krug/contract/access/passkeys";
import type { Contract } from "@krug/contract/api";
import { isoOf } from "@krug/domain/moment";
import { MOST_PASSKEY_NAME, PASSKEY_ASKED_MS } from "@krug/domain/passkey-rules";
import type { Handlers } from "../../../platform/http/call.ts";
import type { Platform } from "../../../platform/platform.ts";
import { refuse } from "../../../platform/refusal.ts";
import type { Settings } from "../../club/settings/index.ts";
import type { Members } from "../../members/members/index.ts";
import type { Auth } from "../auth/index.ts";
import type { SecurityGate } from "../security-gate/index.ts";
import { handleOf, type PasskeyRow, type Passkeys, SIGNED_BY } from "./index.ts";

interface Parts extends Platform {
  settings: Settings;
  members: Members;
  securityGate: Pick<SecurityGate, "refuseDenied">;
  auth: Pick<Auth, "openInBrowser" | "signInBrowser" | "memberOf">;
  passkeys: Passkeys;
}

/** The club's name on authenticators. */
const CLUB = "Круг";

interface Asked {
  challenge: string;
  host: string;
  passkeys: readonly PasskeyRow[];
}

export function makePasskeyRoutes(parts: Parts): Handlers<Contract["passkeys"]> {
  const { db, transact, clock, settings, members, securityGate, auth, passkeys } = parts;
  return {
    askToSignIn: async ({ origin, address }) => toAssert(await passkeys.askToSignIn(origin, address)),

    async signIn(call) {
      await securityGate.refuseDenied(call.address);
      const signedIn = await passkeys.signIn(call.body, call);
      const view = { club: await settings.read(db), now: clock.now(), seesInviteCode: false };
      const user = await members.toAnswer(signedIn.member, view);
      auth.signInBrowser(call, signedIn);
      return { token: signedIn.session.token, user };
    },

    list: async ({ actor, origin }) => ({
      host: passkeys.hostAt(origin),
      passkeys: (await passkeys.ofMember(actor.memberId)).map(toAnswer),
    }),

    async askToAdd({ actor, origin }) {
      const { challenge, host, passkeys: known } = await passkeys.askToAdd(actor, origin);
      const { display_name } = auth.memberOf(actor);
      return {
        rp: { id: host, name: CLUB },
        user: { id: handleOf(actor.memberId), name: actor.username, displayName: display_name ?? actor.username },
        challenge,
        pubKeyCredParams: SIGNED_BY.map((alg) => ({ type: "public-key" as const, alg })),
        timeout: PASSKEY_ASKED_MS,
        excludeCredentials: known.map(toDescriptor),
        authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
        attestation: "none",
      };
    },

    async add({ actor, body: { name, ...attested }, origin }) {
      const called = name ?? (actor.device ?? "Passkey").slice(0, MOST_PASSKEY_NAME);
      return toAnswer(await passkeys.add(actor, { ...attested, name: called }, origin));
    },

    rename: async ({ actor, params, body }) => toAnswer(await passkeys.rename(actor, params.id, body.name)),

    remove: async ({ actor, params }) => void (await passkeys.remove(actor, params.id)),

    askToEnter: async ({ actor, origin }) => toAssert(await passkeys.askToEnter(actor, origin)),

    async enter(call) {
      const session = await passkeys.enter(call.actor, call.body, call.origin);
      auth.openInBrowser(call, session);
      return { token: session.token };
    },

    reset: async ({ actor, params }) =>
      void (await transact(async (tx) => {
        const member = (await members.findByIdOrUsername(tx, params.id)) ?? refuse("member.not_found");
        await passkeys.reset(tx, member.id, actor);
      })),
  };
}

const toDescriptor = ({ credential_id, transports }: PasskeyRow) => ({
  id: credential_id,
  type: "public-key" as const,
  transports: JSON.parse(transports) as string[],
});

const toAssert = ({ challenge, host, passkeys }: Asked) => ({
  rpId: host,
  challenge,
  timeout: PASSKEY_ASKED_MS,
  allowCredentials: passkeys.map(toDescriptor),
  userVerification: "required" as const,
});

const toAnswer = ({ id, name, host, created_at, last_used_at }: PasskeyRow): PasskeyAnswer => ({
  id,
  name,
  host,
  createdAt: isoOf(created_at),
  lastUsedAt: isoOf(last_used_at),
});
