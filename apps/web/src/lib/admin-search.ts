/** Every search parameter of addresses under /admin. Each screen knows what its own values mean. */
const ADMIN_SEARCH = [
  // Every list: the search text, the order, where the page begins, and hidden columns.
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
  "group",
  "interface",
  "server",
  "by",
  "action",
  "period",
  "span",
  "from",
  "to",
  "list",
  // The support screen: which list, its filter, and the open thread.
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

/** The search parameters of an address, as texts. Names that no screen knows are dropped. */
export function readAdminSearch(search: Record<string, unknown>): AdminSearch {
  const said = ADMIN_SEARCH.filter((name) => search[name] !== undefined && search[name] !== null);
  return Object.fromEntries(said.map((name) => [name, String(search[name])]));
}
