import type { Transact } from "../../../platform/database/database.ts";
import type { Actor } from "../../../platform/http/call.ts";
import { refuseVerdict, type TwoFactor } from "../two-factor/index.ts";
import type { Maintenance } from "./index.ts";

interface Parts {
  transact: Transact;
  twoFactor: TwoFactor;
  maintenance: Maintenance;
}

/** Switches on an admin's word and a two-factor code that comes with it. Answers since when it is on, ms. */
export function makeSwitchWithCode({ transact, twoFactor, maintenance }: Parts) {
  return async (actor: Actor, enabled: boolean, token: string): Promise<number | null> => {
    const { verdict, since } = await transact(async (tx) => {
      const verdict = await twoFactor.confirmCode(tx, actor.memberId, token);
      return {
        verdict,
        since: verdict.outcome === "right" ? await maintenance.set(tx, enabled, actor.memberId) : null,
      };
    });
    refuseVerdict(verdict);
    return since;
  };
}
