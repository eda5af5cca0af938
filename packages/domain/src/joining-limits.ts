import { DAY_MS, type Moment, msOf } from "./moment.ts";

/** The settings' defaults: thirty friends who join one evening from one office are welcome, a script is not. */
export const JOINS_PER_ADDRESS = 40;
export const JOINS_PER_CODE = 60;

/** How often one address, and one code, may learn that a name is taken: a person tries a few names, a harvester tries all. */
export const TAKEN_NAMES_PER_ADDRESS = 40;
export const TAKEN_NAMES_PER_CODE = 100;

/** Counts are forgotten a day after the first use. */
export const JOINING_COUNTED_MS = DAY_MS;

/** What one address or one code has done so far. */
export interface JoiningCount {
  times: number;
  /** The first time, ms since 1970. */
  since: number;
}

/** ms until it may try again, 0 for now. */
export function joiningWait(count: JoiningCount | undefined, limit: number, now: Moment): number {
  if (count === undefined || count.times < limit) return 0;
  return Math.max(0, count.since + JOINING_COUNTED_MS - msOf(now));
}
