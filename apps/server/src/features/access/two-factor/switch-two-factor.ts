import type { AuditAction } from "@krug/domain/audit-actions";
import type { Tx } from "../../../platform/database/database.ts";
import type { Actor } from "../../../platform/http/call.ts";
import type { Platform } from "../../../platform/platform.ts";
import { refuse } from "../../../platform/refusal.ts";
import { isSameText } from "../../../platform/same-text.ts";
import type { Audit } from "../../club/audit/index.ts";
import type { Auth, OpenedSession } from "../auth/index.ts";
import { newRecoveryCodes, readRecoveryCode } from "./recovery-codes.ts";
import * as repository from "./repository.ts";
import {
  type Failed,
  isPassed,
  type Renewed,
  recoveryPurpose,
  refuseFailed,
  refuseVerdict,
  secretPlace,
  type TryCode,
  type Verdict,
} from "./try-code.ts";

interface Parts extends Platform {
  audit: Audit;
  auth: Auth;
  tryCode: TryCode;
}

/** Turns two-factor entry on and off (decisions, section 3). */
export function makeSwitchTwoFactor({ transact, clock, sealing, audit, auth, tryCode }: Parts) {
  const remove = async (tx: Tx, memberId: string, actorId: string | null, action: AuditAction) => {
    await repository.remove(tx, memberId);
    await auth.endElevations(tx, memberId);
    await audit.record(tx, actorId, action, { target: memberId });
  };

  const resetIfOn = async (tx: Tx, memberId: string, actorId: string | null): Promise<boolean> => {
    const row = await repository.lock(tx, memberId);
    if (row === undefined || row.enabled_at === null) return false;
    await remove(tx, memberId, actorId, "two_factor.reset");
    return true;
  };

  const newCodes = (memberId: string) => {
    const codes = newRecoveryCodes();
    const hashes = codes.map((code) => sealing.hash(recoveryPurpose(memberId), readRecoveryCode(code) ?? code));
    return { codes, hashes };
  };

  return {
    /** Returns ten recovery codes, shown only now; the session continues under a new token, elevated for staff. */
    async enable(actor: Actor, secret: string, token: string): Promise<{ session: OpenedSession; codes: string[] }> {
      const { memberId } = actor;
      const made = newCodes(memberId);
      const judged = await transact(async (tx): Promise<Failed | Renewed> => {
        const row = await repository.lock(tx, memberId);
        if (row === undefined) refuse("two_factor.wrong_secret", { field: "secret" });
        if (row.enabled_at !== null) refuse("two_factor.already_enabled");
        const offered = sealing.open(secretPlace(memberId), row.sealed_secret);
        if (!isSameText(offered, secret.replace(/\s/g, "").toUpperCase()))
          refuse("two_factor.wrong_secret", { field: "secret" });
        const verdict = await tryCode(tx, row, token);
        if (!isPassed(verdict)) return verdict;
        await repository.update(tx, memberId, { enabled_at: clock.now().getTime() });
        await repository.setRecoveryCodes(tx, memberId, made.hashes);
        await audit.record(tx, memberId, "two_factor.enabled", { target: memberId });
        return { outcome: "renewed", session: await auth.renewToken(tx, actor, true) };
      });
      return judged.outcome === "renewed" ? { session: judged.session, codes: made.codes } : refuseFailed(judged);
    },

    /**
     * Replaces the recovery codes with ten others, shown only now. Takes an app code: a recovery code could make more of itself.
     */
    async renewCodes(actor: Actor, token: string): Promise<string[]> {
      const { memberId } = actor;
      const made = newCodes(memberId);
      const verdict = await transact(async (tx): Promise<Verdict> => {
        const row = await repository.lock(tx, memberId);
        if (row === undefined || row.enabled_at === null) refuse("two_factor.not_enabled");
        const judged = await tryCode(tx, row, token);
        if (judged.outcome === "right") {
          await repository.setRecoveryCodes(tx, memberId, made.hashes);
          await audit.record(tx, memberId, "two_factor.codes_renewed", { target: memberId });
        }
        return judged;
      });
      refuseVerdict(verdict);
      return made.codes;
    },

    /** The member's own, with a code or a recovery code, so that a lost phone can be replaced. */
    async disableOwn(actor: Actor, token: string): Promise<void> {
      const { memberId } = actor;
      const verdict = await transact(async (tx): Promise<Verdict> => {
        const row = await repository.lock(tx, memberId);
        if (row === undefined || row.enabled_at === null) refuse("two_factor.not_enabled");
        const judged = await tryCode(tx, row, token, { recoveryCode: true });
        if (judged.outcome === "right") await remove(tx, memberId, memberId, "two_factor.disabled");
        return judged;
      });
      refuseVerdict(verdict);
    },

    /** Somebody else's, without a code; `actorId` is null for the command line. */
    async reset(tx: Tx, memberId: string, actorId: string | null): Promise<void> {
      if (!(await resetIfOn(tx, memberId, actorId))) refuse("two_factor.not_enabled");
    },
    resetIfOn,
  };
}
