import { isTwoFactorCode, twoFactorRetryAfter } from "@krug/domain/two-factor-rules";
import type { Tx } from "../../../platform/database/database.ts";
import type { Platform } from "../../../platform/platform.ts";
import { refuse } from "../../../platform/refusal.ts";
import type { SealedColumn } from "../../../platform/sealed-columns.ts";
import type { Audit } from "../../club/audit/index.ts";
import type { OpenedSession } from "../auth/index.ts";
import { readRecoveryCode } from "./recovery-codes.ts";
import * as repository from "./repository.ts";
import type { TwoFactorRow } from "./table.ts";
import { latestStepAt, stepsOfCode } from "./time-codes.ts";

/** `repeated`: the last code that counted, entered again where that is allowed. */
export type Passed = { outcome: "right" | "repeated" };
export type Failed =
  | { outcome: "not_enabled" }
  /** `seconds`: until the next code may be tried; 0: now. */
  | { outcome: "wrong" | "locked"; seconds: number };
export type Verdict = Passed | Failed;

/** A correct code, after which the session continues under a new token. */
export interface Renewed {
  outcome: "renewed";
  session: OpenedSession;
}

export const isPassed = (verdict: Verdict): verdict is Passed =>
  verdict.outcome === "right" || verdict.outcome === "repeated";

export interface Allowance {
  /** Whether a recovery code counts too; it is then used up. */
  recoveryCode?: boolean;
  /** Whether the last code that counted may be given again. */
  repeat?: boolean;
}

/** More than anyone types while the panel's clock runs ahead. */
const USED_STEPS_KEPT = 100;

export const secretPlace = (memberId: string) => `two_factor.secret:${memberId}`;
export const sealedInTwoFactor: SealedColumn[] = [
  {
    table: "two_factor",
    column: "sealed_secret",
    key: ["member_id"],
    place: ({ member_id = "" }) => secretPlace(member_id),
  },
];
export const recoveryPurpose = (memberId: string) => `recovery-code:${memberId}`;

/** Seconds until the next code may be tried; 0: now. */
export const lockedFor = (row: Pick<TwoFactorRow, "wrong_codes" | "last_wrong_at">, now: number) =>
  Math.ceil(twoFactorRetryAfter({ count: row.wrong_codes, lastWrongAt: row.last_wrong_at }, now) / 1000);

export type TryCode = ReturnType<typeof makeTryCode>;

interface Parts extends Platform {
  audit: Audit;
}

/**
 * Checks a code against a locked row and records the result. The audit records what hints at an intruder: a used recovery code,
 * and so many wrong codes that none is accepted for a while. It never refuses: a refusal thrown inside the transaction would undo
 * the counting. See `refuseVerdict`.
 */
export function makeTryCode({ clock, sealing, audit }: Parts) {
  return async (tx: Tx, row: TwoFactorRow, typed: string, allowance: Allowance = {}): Promise<Verdict> => {
    const memberId = row.member_id;
    const now = clock.now().getTime();
    const seconds = lockedFor(row, now);
    if (seconds > 0) return { outcome: "locked", seconds };

    const accept = async (change: Partial<TwoFactorRow>): Promise<Verdict> => {
      await repository.update(tx, memberId, { ...change, wrong_codes: 0, last_wrong_at: null });
      return { outcome: "right" };
    };

    const digits = typed.replace(/\s/g, "");
    if (isTwoFactorCode(digits)) {
      const steps = stepsOfCode(sealing.open(secretPlace(memberId), row.sealed_secret), digits, now);
      const used = JSON.parse(row.used_steps) as number[];
      // Steps in the future say nothing about today's codes; they themselves never count again.
      const lastUsed = Math.max(-1, ...used.filter((step) => step <= latestStepAt(now)));
      const fresh = steps.find((step) => step > lastUsed && !used.includes(step));
      if (fresh !== undefined) return accept({ used_steps: JSON.stringify([...used, fresh].slice(-USED_STEPS_KEPT)) });
      // It was correct once, so it is not a guess and does not count towards the lock.
      if (steps.length > 0)
        return allowance.repeat === true && steps.includes(lastUsed)
          ? { outcome: "repeated" }
          : { outcome: "wrong", seconds: 0 };
    }
    const recoveryCode = allowance.recoveryCode === true ? readRecoveryCode(typed) : null;
    if (recoveryCode !== null) {
      const hash = sealing.hash(recoveryPurpose(memberId), recoveryCode);
      if (await repository.takeRecoveryCode(tx, memberId, hash)) {
        await audit.record(tx, memberId, "two_factor.recovery_used", { target: memberId });
        return accept({});
      }
    }
    const count = row.wrong_codes + 1;
    await repository.update(tx, memberId, { wrong_codes: count, last_wrong_at: now });
    const lockedSeconds = lockedFor({ wrong_codes: count, last_wrong_at: now }, now);
    if (lockedSeconds > 0)
      await audit.record(tx, memberId, "two_factor.locked", { target: memberId, after: { wrong_codes: count } });
    return { outcome: "wrong", seconds: lockedSeconds };
  };
}

/** Turns any other verdict than a correct code into its refusal; after the transaction, never inside. */
export function refuseVerdict(verdict: Verdict): void {
  if (!isPassed(verdict)) refuseFailed(verdict);
}

export function refuseFailed(verdict: Failed): never {
  if (verdict.outcome === "not_enabled") refuse("two_factor.not_enabled");
  if (verdict.outcome === "locked") refuse("two_factor.locked", { seconds: verdict.seconds });
  refuse("two_factor.wrong_code", { field: "token", retryAfter: verdict.seconds });
}
