import { useEffect, useState } from "react";
import { ApiError, explain, Refusal } from "../../../lib/api.ts";
import { clubNow, inClub } from "../../../lib/club-clock.ts";
import { useStaffWords } from "../../../lib/i18n/staff.ts";
import { useText } from "../../../lib/i18n/use-text.tsx";
import { useCommand } from "../../../lib/use-command.ts";
import { useNow } from "../../../lib/use-now.ts";

/** Two-factor codes have six digits (specification, operator's side 5). */
const CODE = /^\d{6}$/;

/** The panel reports that a code was wrong, and how many seconds to wait. */
export class WrongCode extends Refusal {
  readonly retryAfter: number;
  constructor(message: string, retryAfter: number) {
    super(message);
    this.retryAfter = retryAfter;
  }
}

/** Seconds for which the panel accepts no code; 0 if it does. */
function lockIn(error: Error): number {
  if (error instanceof WrongCode) return error.retryAfter;
  if (!(error instanceof ApiError)) return 0;
  const { seconds, retryAfter } = error.details;
  const told = error.code === "two_factor.locked" ? seconds : retryAfter;
  return typeof told === "number" ? told : 0;
}

interface Wish<Result> {
  send: (code: string) => Promise<Result>;
  onRight: (result: Result) => void;
  /** Seconds from the panel's status, and when it came (ms, by this device's clock): a tab that opens during a lock counts it down too. */
  lock: { seconds: number; at: number };
  /** The error text if the panel gave none. */
  failed: string;
  /** Anything that is not six digits is a recovery code. */
  recovery?: boolean;
}

/** An attempt to enter a code: the typed value, its error, and the wait before the next. */
export function useAttempt<Result>({ send, onRight, lock, failed, recovery = false }: Wish<Result>) {
  const { twoFactor } = useStaffWords();
  const { failure } = useText();
  const [code, setCode] = useState("");
  const [lockedUntil, setLockedUntil] = useState(0);
  useEffect(() => {
    if (lock.seconds > 0) setLockedUntil(inClub(lock.at) + lock.seconds * 1000);
  }, [lock.seconds, lock.at]);
  const nowMs = useNow(250, lockedUntil > 0);
  const left = Math.max(0, Math.ceil((lockedUntil - nowMs) / 1000));
  useEffect(() => {
    if (lockedUntil > 0 && left === 0) setLockedUntil(0);
  }, [lockedUntil, left]);

  const attempt = useCommand({
    mutationFn: (typed: string) => {
      if (recovery && typed.trim() === "") throw new Refusal(twoFactor.recoveryEmpty);
      if (!recovery && !CODE.test(typed)) throw new Refusal(twoFactor.sixDigits);
      return send(typed.trim());
    },
    onSuccess: onRight,
    onError: (error) => {
      setCode("");
      const seconds = lockIn(error);
      if (seconds > 0) setLockedUntil(clubNow() + seconds * 1000);
    },
  });
  const isLocked = left > 0;
  return {
    code,
    setCode,
    busy: attempt.isPending,
    /** Seconds until the next code may be tried. */
    left,
    /** A form button's label and whether it can be pressed. */
    button: (label: string, working: string) => ({
      label: isLocked ? twoFactor.tryIn(left) : label,
      working,
      busy: attempt.isPending,
      disabled: isLocked,
    }),
    isWrong: attempt.isError && !isLocked,
    problem: attempt.error && !isLocked ? explain(attempt.error, failed, failure.silent) : null,
    reset: attempt.reset,
    submit: (typed: string = code) => {
      if (!attempt.isPending && !isLocked) attempt.mutate(typed);
    },
  };
}

export type Attempt = ReturnType<typeof useAttempt>;
