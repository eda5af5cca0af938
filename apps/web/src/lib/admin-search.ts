/** All that addresses under /admin say after their question mark. Each screen knows what its own values mean. */
const ADMIN_SEARCH = [
  // Every list: what is searched for, the order, where the page begins, and hidden columns.
  "q",
  "sort",
  "order",
  "after",
  "page",
  "hide",
  // Filters.
  "state",
  "status",
  "filter",
  "ends",
  "role",
  "devices",
  "interface",
  "server",
  "by",
  "action",
  "period",
  "span",
  "from",
  "to",
  "list",
  // The support screen: which list, narrowed how, and the thread beside it.
  "section",
  "show",
  "hands",
  "with",
  "ticket",
  // A dialog that a link opens.
  "add",
  "set",
] as const;

type Name = (typeof ADMIN_SEARCH)[number];
export type AdminSearch = Partial<Record<Name, string>>;

/** The longest text that the panel searches for (packages/contract/src/fields.ts), letters. */
export const LONGEST_SEARCH = 100;
const LONGEST_CURSOR = 200;
const LONGEST_NAME = 64;

/** A day that the calendar has. */
const isDay = (text: string) =>
  /^[1-9]\d{3}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00Z`).toJSON()?.startsWith(text) === true;
const isId = (text: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);

/** Of names that mean the same on every screen: whether the panel could read what they say. */
const IS_READABLE: { [Of in Name]?: (text: string) => boolean } = {
  after: (text) => text.length <= LONGEST_CURSOR,
  page: (text) => /^[1-9]\d*$/.test(text),
  by: isId,
  ticket: isId,
  with: (text) => text.length <= LONGEST_NAME,
  from: isDay,
  to: isDay,
};

/**
 * What an address says, as texts. Names that no screen knows are dropped, and so is what the panel could not read: an address is
 * typed, cut off and kept for years, and must not lead to a list that cannot be loaded. What is dropped is there as undefined,
 * because the router puts the answer over what the address said.
 */
export function readAdminSearch(search: Record<string, unknown>): AdminSearch {
  const said = Object.entries(search).map(([name, value]) => [name, isKnown(name) ? readable(name, value) : undefined]);
  return Object.fromEntries(said) as AdminSearch;
}

const isKnown = (name: string): name is Name => ADMIN_SEARCH.some((known) => known === name);

function readable(name: Name, value: unknown): string | undefined {
  const text = name === "q" ? String(value ?? "").slice(0, LONGEST_SEARCH) : String(value ?? "");
  return text !== "" && IS_READABLE[name]?.(text) !== false ? text : undefined;
}
