import type { Tx } from "../../../platform/database/database.ts";
import type { Actor } from "../../../platform/http/call.ts";

export interface SwitchParts {
  /** Of a feature above this one. */
  twoFactor: { withCode<Done>(memberId: string, token: string, work: (tx: Tx) => Promise<Done>): Promise<Done> };
  maintenance: { set(tx: Tx, enabled: boolean, actorId: string | null): Promise<number | null> };
}

/** Switches at an admin's request with a two-factor code. Answers since when maintenance is on, ms. */
export const makeSwitchWithCode =
  ({ twoFactor, maintenance }: SwitchParts) =>
  (actor: Actor, enabled: boolean, token: string): Promise<number | null> =>
    twoFactor.withCode(actor.memberId, token, (tx) => maintenance.set(tx, enabled, actor.memberId));
