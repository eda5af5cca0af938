import { DAY_MS, HOUR_MS, MINUTE_MS } from "./moment.ts";

/** Sources of one service. */
export const MOST_SOURCES = 20;
/** Characters of one source. */
export const MOST_SOURCE_LETTERS = 500;
/** Versions of a source's list that are kept. */
export const VERSIONS_KEPT = 30;
/** Staff are notified of a source that has failed for this long. */
export const TELL_AFTER_MS = 3 * DAY_MS;

/** Addresses of a domain change within minutes. */
const DOMAIN_EVERY_MS = 5 * MINUTE_MS;
/** An address counts as a domain's for so long after a resolver last answered it: not every answer has all of them. */
export const ADDRESS_KEPT_MS = DAY_MS;
/** Addresses of one domain. */
export const MOST_ADDRESSES = 1_000;

/** When a source is looked up again. */
export const nextLookIn = (failed: boolean, isDomain: boolean): number =>
  isDomain ? DOMAIN_EVERY_MS : failed ? HOUR_MS : DAY_MS;
