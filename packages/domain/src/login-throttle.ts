import { isAheadOfTime, MINUTE_MS, type Moment, msOf, SECOND_MS } from "./moment.ts";

/** Wrong passwords without a wait: people mistype. */
const FREE_LOGIN_FAILURES = 5;
const FIRST_DELAY_MS = SECOND_MS;
const LONGEST_DELAY_MS = 15 * MINUTE_MS;
/** Addresses are kept no longer than this (decisions, section 2), so counting starts over after a quiet day. */
export const LOGIN_FAILURES_KEPT_MS = 24 * 60 * MINUTE_MS;

/** The wait that follows the `failures`-th wrong password, in ms: from the 5th on 1 s, doubling to 15 min. */
export function loginDelay(failures: number): number {
  if (failures < FREE_LOGIN_FAILURES) return 0;
  return Math.min(FIRST_DELAY_MS * 2 ** (failures - FREE_LOGIN_FAILURES), LONGEST_DELAY_MS);
}

/** ms until the next attempt is checked, 0 for now. Waits grow but always end: no account is locked permanently. */
export function loginRetryAfter(wrong: { failures: number; lastFailureAt: number | null }, now: Moment): number {
  if (wrong.lastFailureAt === null || isAheadOfTime(wrong.lastFailureAt, now)) return 0;
  return Math.max(0, wrong.lastFailureAt + loginDelay(wrong.failures) - msOf(now));
}
