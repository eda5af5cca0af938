/** A point in time, as a Date or as ms since 1970. The rules have no clock: the caller passes the time. */
export type Moment = Date | number;

export function msOf(moment: Moment): number {
  return typeof moment === "number" ? moment : moment.getTime();
}

export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/**
 * How far the clocks of panels on one database may differ. A stored past time further ahead than this came from a clock that
 * was wrong and has since been corrected: a flat battery, a bad time server.
 */
export const HONEST_SKEW_MS = 60 * SECOND_MS;

/** Whether a recorded time cannot be right: it is ahead of every correct clock. */
export const isAheadOfTime = (at: number, now: Moment): boolean => at > msOf(now) + HONEST_SKEW_MS;

/** A moment as the API writes it: ISO 8601 in UTC, with ms. What has no moment is null. */
export function isoOf(at: Moment): string;
export function isoOf(at: Moment | null | undefined): string | null;
export function isoOf(at: Moment | null | undefined): string | null {
  return at == null ? null : new Date(at).toISOString();
}
