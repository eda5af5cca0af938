/** The fastest limit that can be set, Mbit/s; a faster member is not limited. */
export const HIGHEST_SPEED_MBIT = 10_000;
