import type { Contract } from "@krug/contract/api";
import type { PushAnswer } from "@krug/contract/messages/push";
import { isoOf } from "@krug/domain/moment";
import type { Actor, Handlers } from "../../../platform/http/call.ts";
import { refuse } from "../../../platform/refusal.ts";
import type { Push } from "./index.ts";

export function makePushRoutes({ push }: { push: Push }): Handlers<Contract["push"]> {
  const { subscriptions, keys, subject } = push;
  const refuseIfOff = () => {
    if (subject === null) refuse("push.unavailable");
  };
  const shown = async ({ memberId, sessionId }: Actor): Promise<PushAnswer> => ({
    publicKey: subject === null ? null : (await keys()).publicKey,
    browsers: (await subscriptions.ofMember(memberId)).map(({ id, device, created_at, session_id }) => ({
      id,
      device,
      createdAt: isoOf(created_at),
      current: session_id === sessionId,
    })),
  });

  return {
    list: ({ actor }) => shown(actor),

    async subscribe({ actor, body }) {
      refuseIfOff();
      await subscriptions.subscribe(actor, body);
      return shown(actor);
    },

    async keep({ actor, body }) {
      refuseIfOff();
      return { here: await subscriptions.keep(actor, body) };
    },

    remove: async ({ actor, params }) => void (await subscriptions.removeOwn(actor, params.id)),
  };
}
