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

export type AdminName = (typeof ADMIN_SEARCH)[number];
export type AdminSearch = Partial<Record<AdminName, string>>;

/** What an address says, as texts; names that no screen knows are dropped. */
export function readAdminSearch(search: Record<string, unknown>): AdminSearch {
  const said = ADMIN_SEARCH.filter((name) => search[name] !== undefined && search[name] !== null);
  return Object.fromEntries(said.map((name) => [name, String(search[name])]));
}
