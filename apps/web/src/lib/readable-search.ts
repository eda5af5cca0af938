import type { AdminName, AdminSearch } from "./admin-search.ts";

/** The longest search text that the panel accepts (packages/contract/src/fields.ts), letters. */
export const LONGEST_SEARCH = 100;
const LONGEST_CURSOR = 200;
const LONGEST_NAME = 64;

/** A day that exists in the calendar. */
const isDay = (text: string) =>
  /^[1-9]\d{3}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00Z`).toJSON()?.startsWith(text) === true;
const isId = (text: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);

/** For names that mean the same on every screen: whether the panel can read their value. */
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
 * An address without the parts that the panel could not read. Addresses are typed, truncated and stored for years, and must not
 * lead to a list that cannot load.
 */
export function readable(search: AdminSearch): AdminSearch {
  const said = (Object.entries(search) as [AdminName, string][]).map(
    ([name, text]) => [name, name === "q" ? text.slice(0, LONGEST_SEARCH) : text] as const,
  );
  return Object.fromEntries(said.filter(([name, text]) => text !== "" && IS_READABLE[name]?.(text) !== false));
}
