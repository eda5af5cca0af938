/** A point in time, as a Date or as ms since 1970. The rules have no clock: whoever asks says when it is. */
export type Moment = Date | number;

export function msOf(moment: Moment): number {
  return typeof moment === "number" ? moment : moment.getTime();
}

export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/**
 * How far the clocks of panels that share a database may differ. What is stored as past and lies further ahead was written by
 * a clock that has come back since: a flat battery, a time server that erred.
 */
export const HONEST_SKEW_MS = 60 * SECOND_MS;

/** Whether a time that was written down as it was cannot be true: no clock that is right shows it yet. */
export const isAheadOfTime = (at: number, now: Moment): boolean => at > msOf(now) + HONEST_SKEW_MS;
