import type { Tx } from "../../../platform/database/database.ts";
import type { Actor } from "../../../platform/http/call.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { Audit } from "../../club/audit/index.ts";
import { type Members, memberDeleted } from "../../members/members/index.ts";
import type { Auth, OpenedSession } from "../auth/index.ts";
import * as repository from "./repository.ts";
import { makeSwitchTwoFactor } from "./switch-two-factor.ts";
import { addressOfSecret, newSecret } from "./time-codes.ts";
import {
  type Failed,
  isPassed,
  lockedFor,
  makeTryCode,
  type Renewed,
  refuseFailed,
  refuseVerdict,
  secretPlace,
} from "./try-code.ts";

export { sealedInTwoFactor } from "./try-code.ts";

export type TwoFactor = ReturnType<typeof makeTwoFactor>;

interface Parts extends Platform {
  audit: Audit;
  members: Members;
  auth: Auth;
}

/** The second factor for the administration area (decisions, section 3). */
export function makeTwoFactor(parts: Parts) {
  const { db, transact, clock, sealing, events, members, auth } = parts;
  const tryCode = makeTryCode(parts);
  events.on(memberDeleted, (tx, { memberId }) => repository.remove(tx, memberId));

  /** The member's row; if there is no secret one is made, which stays until it is enabled. Undefined: they were just deleted. */
  const rowOrOffer = async (memberId: string) => {
    const row = await repository.find(db, memberId);
    if (row !== undefined) return row;
    return transact(async (tx) => {
      if ((await members.lock(tx, memberId)) === undefined) return undefined;
      const seal = await sealing.sealer(tx);
      await repository.offer(tx, memberId, seal(secretPlace(memberId), newSecret()));
      return repository.find(tx, memberId);
    });
  };

  return {
    ...makeSwitchTwoFactor({ ...parts, tryCode }),

    async isEnabled(memberId: string): Promise<boolean> {
      return ((await repository.find(db, memberId))?.enabled_at ?? null) !== null;
    },

    async status(actor: Actor) {
      const { memberId, username, elevated } = actor;
      const row = await rowOrOffer(memberId);
      const enabled = row !== undefined && row.enabled_at !== null;
      // Someone else at this session must not copy the secret that its owner will enable.
      if (!enabled) auth.refuseStalePassword(actor);
      const secret = row === undefined || enabled ? null : sealing.open(secretPlace(memberId), row.sealed_secret);
      return {
        enabled,
        secret,
        uri: secret === null ? null : addressOfSecret(secret, username),
        elevated,
        retryAfter: row === undefined ? 0 : lockedFor(row, clock.now().getTime()),
        recoveryCodesLeft: enabled ? await repository.countRecoveryCodes(db, memberId) : 0,
      };
    },

    /**
     * With a correct code the session continues under a new token, elevated for staff; `session` is null if the code is wrong.
     * Refuses while locked and without 2FA.
     */
    async verify(actor: Actor, token: string): Promise<{ session: OpenedSession | null; retryAfter: number }> {
      const judged = await transact(async (tx): Promise<Failed | Renewed> => {
        const row = await repository.lock(tx, actor.memberId);
        if (row === undefined || row.enabled_at === null) return { outcome: "not_enabled" };
        // Read here and not from the call: of two simultaneous calls with one token, the first has replaced it.
        const repeat = await auth.isElevated(tx, actor);
        const verdict = await tryCode(tx, row, token, { recoveryCode: true, repeat });
        if (!isPassed(verdict)) return verdict;
        return { outcome: "renewed", session: await auth.renewToken(tx, actor, verdict.outcome === "right") };
      });
      if (judged.outcome === "renewed") return { session: judged.session, retryAfter: 0 };
      return judged.outcome === "wrong" ? { session: null, retryAfter: judged.seconds } : refuseFailed(judged);
    },

    /**
     * Runs a dangerous call's `work` in the transaction that accepted its code.
     * @throws Refusal two_factor.wrong_code, two_factor.locked or two_factor.not_enabled, once the attempt is counted
     */
    async withCode<Done>(memberId: string, token: string, work: (tx: Tx) => Promise<Done>): Promise<Done> {
      const { verdict, done } = await transact(async (tx) => {
        const row = await repository.lock(tx, memberId);
        if (row === undefined || row.enabled_at === null) return { verdict: { outcome: "not_enabled" } as const };
        const verdict = await tryCode(tx, row, token);
        return isPassed(verdict) ? { verdict, done: await work(tx) } : { verdict };
      });
      refuseVerdict(verdict);
      return done as Done;
    },
  };
}
