import { DAY_MS, HOUR_MS } from "./moment.ts";

/** Sources of one service. */
export const MOST_SOURCES = 20;
/** Characters of one source. */
export const MOST_SOURCE_LETTERS = 500;
/** Versions of a source's list that are kept. */
export const VERSIONS_KEPT = 30;
/** Staff are told of a source that has failed for so long. */
export const TELL_AFTER_MS = 3 * DAY_MS;

/** When a source is looked up again. */
export const nextLookIn = (failed: boolean): number => (failed ? HOUR_MS : DAY_MS);
