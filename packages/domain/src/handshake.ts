import { DAY_MS, HOUR_MS, MINUTE_MS, type Moment, msOf, SECOND_MS } from "./moment.ts";

export const ACTIVE_WITHIN_MS = 5 * MINUTE_MS;

/** A device counts as active when its last handshake is at most five minutes old. */
export function isActiveHandshake(lastHandshakeMs: number | null, now: Moment): boolean {
  return lastHandshakeMs !== null && msOf(now) - lastHandshakeMs <= ACTIVE_WITHIN_MS;
}

/** `count` is whole units, rounded down; 0 for 'never'. */
export interface RelativeAge {
  unit: "never" | "seconds" | "minutes" | "hours" | "days";
  count: number;
}

/** How long ago, in the unit a person would use. A future time (a server's clock runs ahead) is 0 seconds ago. */
export function relativeAge(thenMs: number | null, now: Moment): RelativeAge {
  if (thenMs === null) return { unit: "never", count: 0 };
  const ageMs = Math.max(0, msOf(now) - thenMs);
  if (ageMs < MINUTE_MS) return { unit: "seconds", count: Math.floor(ageMs / SECOND_MS) };
  if (ageMs < HOUR_MS) return { unit: "minutes", count: Math.floor(ageMs / MINUTE_MS) };
  if (ageMs < DAY_MS) return { unit: "hours", count: Math.floor(ageMs / HOUR_MS) };
  return { unit: "days", count: Math.floor(ageMs / DAY_MS) };
}
