import { DAY_MS, type Moment, msOf } from "./moment.ts";

/** Settings' defaults: thirty friends who join on one evening in one office are welcome, a script is not. */
export const JOINS_PER_ADDRESS = 40;
export const JOINS_PER_CODE = 60;

/** How often one address, and one code, may hear that a name is taken: who joins tries a few, who gathers names tries all. */
export const TAKEN_NAMES_PER_ADDRESS = 40;
export const TAKEN_NAMES_PER_CODE = 100;

/** What is counted is forgotten a day after the first. */
export const JOINING_COUNTED_MS = DAY_MS;

/** What one address or one code did so far. */
export interface JoiningCount {
  times: number;
  /** When it did so first, ms since 1970. */
  since: number;
}

/** ms until it may do so once more, 0 when at once. */
export function joiningWait(count: JoiningCount | undefined, limit: number, now: Moment): number {
  if (count === undefined || count.times < limit) return 0;
  return Math.max(0, count.since + JOINING_COUNTED_MS - msOf(now));
}
