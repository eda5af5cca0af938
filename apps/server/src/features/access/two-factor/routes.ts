import type { Contract } from "@krug/contract/api";
import type { Transact } from "../../../platform/database/database.ts";
import type { Actor, Handlers } from "../../../platform/http/call.ts";
import { refuse, refuseField } from "../../../platform/refusal.ts";
import { requireRight } from "../../club/rights/index.ts";
import type { Members } from "../../members/members/index.ts";
import type { Auth } from "../auth/index.ts";
import type { TwoFactor } from "./index.ts";

interface Parts {
  transact: Transact;
  members: Members;
  auth: Pick<Auth, "openInBrowser">;
  twoFactor: TwoFactor;
  /** Of a feature above this one. */
  passkeys: { worksAt(memberId: string, origin: string): Promise<boolean> };
}

export function makeTwoFactorRoutes({
  transact,
  members,
  auth,
  twoFactor,
  passkeys,
}: Parts): Handlers<Contract["twoFactor"]> {
  /** Lets an admin reset the second factor of a member who lost their phone. */
  const resetOther = async (actor: Actor, idOrUsername: string) => {
    requireRight(actor, "members.reset_two_factor", "auth.not_yourself");
    await transact(async (tx) => {
      const member = (await members.findByIdOrUsername(tx, idOrUsername)) ?? refuse("member.not_found");
      await twoFactor.reset(tx, member.id, actor.memberId);
    });
  };

  return {
    async status({ actor, params, origin }) {
      refuseOthers(actor, params.id);
      const status = await twoFactor.status(actor);
      return { ...status, byPasskey: status.enabled && (await passkeys.worksAt(actor.memberId, origin)) };
    },

    async enable(call) {
      const { actor, params, body } = call;
      refuseOthers(actor, params.id);
      const { session, codes } = await twoFactor.enable(actor, body.secret, body.token);
      auth.openInBrowser(call, session);
      return { success: true, recoveryCodes: codes, token: session.token };
    },

    async disable({ actor, params, body, language }) {
      if (!isOneself(actor, params.id)) await resetOther(actor, params.id);
      else if (body?.token === undefined) refuseField("token", codeMissing, { language });
      else await twoFactor.disableOwn(actor, body.token);
      return { success: true };
    },

    async renewCodes({ actor, params, body }) {
      refuseOthers(actor, params.id);
      return { recoveryCodes: await twoFactor.renewCodes(actor, body.token) };
    },

    async verify(call) {
      const { actor, params, body } = call;
      refuseOthers(actor, params.id);
      const { session, retryAfter } = await twoFactor.verify(actor, body.token);
      if (session !== null) auth.openInBrowser(call, session);
      return { valid: session !== null, retryAfter, token: session?.token ?? null };
    },
  };
}

const codeMissing = { ru: "нужен код подтверждения", en: "a confirmation code is needed" };

const isOneself = (actor: Actor, idOrUsername: string) =>
  idOrUsername === actor.memberId || idOrUsername.toLowerCase() === actor.username.toLowerCase();

function refuseOthers(actor: Actor, idOrUsername: string): void {
  if (!isOneself(actor, idOrUsername)) refuse("auth.not_yourself", { field: "id" });
}
