import type { Transact, Tx } from "../../platform/database/database.ts";
import type { Actor } from "../../platform/http/call.ts";
import { refuseVerdict, type TwoFactor } from "../two-factor/index.ts";

interface Parts {
  transact: Transact;
  twoFactor: TwoFactor;
  set(tx: Tx, enabled: boolean, actorId: string): Promise<number | null>;
}

/** Switches on an admin's word and a two-factor code that comes with it. Answers since when it is on, ms. */
export function makeSwitchWithCode({ transact, twoFactor, set }: Parts) {
  return async (actor: Actor, enabled: boolean, token: string): Promise<number | null> => {
    const { verdict, since } = await transact(async (tx) => {
      const verdict = await twoFactor.confirmCode(tx, actor.memberId, token);
      return { verdict, since: verdict.outcome === "right" ? await set(tx, enabled, actor.memberId) : null };
    });
    refuseVerdict(verdict);
    return since;
  };
}
