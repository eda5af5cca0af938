import type { AdminName, AdminSearch } from "./admin-search.ts";

/** The longest text that the panel searches for (packages/contract/src/fields.ts), letters. */
export const LONGEST_SEARCH = 100;
const LONGEST_CURSOR = 200;
const LONGEST_NAME = 64;

/** A day that the calendar has. */
const isDay = (text: string) =>
  /^[1-9]\d{3}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00Z`).toJSON()?.startsWith(text) === true;
const isId = (text: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);

/** Of names that mean the same on every screen: whether the panel could read what they say. */
const IS_READABLE: { [Of in AdminName]?: (text: string) => boolean } = {
  after: (text) => text.length <= LONGEST_CURSOR,
  page: (text) => /^[1-9]\d*$/.test(text),
  by: isId,
  ticket: isId,
  with: (text) => text.length <= LONGEST_NAME,
  from: isDay,
  to: isDay,
};

/**
 * What an address says, without what the panel could not read: an address is typed, cut off and kept for years, and must not lead
 * to a list that cannot be loaded.
 */
export function readable(search: AdminSearch): AdminSearch {
  const said = (Object.entries(search) as [AdminName, string][]).map(
    ([name, text]) => [name, name === "q" ? text.slice(0, LONGEST_SEARCH) : text] as const,
  );
  return Object.fromEntries(said.filter(([name, text]) => text !== "" && IS_READABLE[name]?.(text) !== false));
}
