/** A point in time, as a Date or as ms since 1970. The rules have no clock: whoever asks says when it is. */
export type Moment = Date | number;

export function msOf(moment: Moment): number {
  return typeof moment === "number" ? moment : moment.getTime();
}

export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
