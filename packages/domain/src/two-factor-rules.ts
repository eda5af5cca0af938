import { HOUR_MS, isAheadOfTime, MINUTE_MS, type Moment, msOf, SECOND_MS } from "./moment.ts";

export const TWO_FACTOR_CODE_LENGTH = 6;
export const RECOVERY_CODES = 10;

/** A staff session stays elevated this long after the last call that a person triggered. */
export const ELEVATION_IDLE_MS = 30 * MINUTE_MS;
/** And never longer than this in total. */
export const ELEVATION_MAX_MS = 12 * HOUR_MS;

/** The digits typed, at most six. */
export function twoFactorDigits(typed: string): string {
  return typed.replace(/[^0-9]/g, "").slice(0, TWO_FACTOR_CODE_LENGTH);
}

export function isTwoFactorCode(text: string): boolean {
  return /^[0-9]{6}$/.test(text);
}

export interface Elevation {
  /** ms since 1970. */
  elevatedAt: number;
  /** The last call a person caused, not polling. ms since 1970. */
  lastActAt: number;
}

/** Does this session still count as elevated by the second factor? (decisions, section 3) */
export function isElevated(elevation: Elevation | null, now: Moment): boolean {
  if (elevation === null) return false;
  if (isAheadOfTime(elevation.elevatedAt, now) || isAheadOfTime(elevation.lastActAt, now)) return false;
  const at = msOf(now);
  return at < elevation.lastActAt + ELEVATION_IDLE_MS && at < elevation.elevatedAt + ELEVATION_MAX_MS;
}

const WRONG_CODES_BEFORE_LOCK = 3;
const FIRST_LOCK_MS = 10 * SECOND_MS;
const LONGEST_LOCK_MS = HOUR_MS;

/** How long the `wrongCount`-th wrong code since the last right one locks, in ms: every third one, 10 s, doubling to 1 h. */
export function twoFactorLock(wrongCount: number): number {
  if (wrongCount < WRONG_CODES_BEFORE_LOCK || wrongCount % WRONG_CODES_BEFORE_LOCK !== 0) return 0;
  return Math.min(FIRST_LOCK_MS * 2 ** (wrongCount / WRONG_CODES_BEFORE_LOCK - 1), LONGEST_LOCK_MS);
}

/** ms until the next code may be tried, 0 for now. `lastWrongAt` is ms since 1970. */
export function twoFactorRetryAfter(wrong: { count: number; lastWrongAt: number | null }, now: Moment): number {
  if (wrong.lastWrongAt === null || isAheadOfTime(wrong.lastWrongAt, now)) return 0;
  return Math.max(0, wrong.lastWrongAt + twoFactorLock(wrong.count) - msOf(now));
}
