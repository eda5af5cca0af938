/** The fastest limit that can be set, Mbit/s; a faster member is not limited. */
export const HIGHEST_SPEED_MBIT = 10_000;

/** How fast members are after their quota unless staff choose otherwise, Mbit/s: enough for messages, maps and a call. */
export const SLOW_MBIT = 5;

/** The lower of two limits, Mbit/s; null: none. */
export const lowerSpeed = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other);
