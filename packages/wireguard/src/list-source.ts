/** What networks can be found by: the https address of a list, the number of an autonomous system, a country. */
export type SourceKind = "list" | "as" | "country";

export interface ListSource {
  kind: SourceKind;
  /** Canonical: 'https://…', 'AS13335', 'country:FI'. */
  key: string;
}

const AS_NUMBER = /^AS ?(\d{1,10})$/i;
const COUNTRY = /^(?:(?:geoip|country):)?([a-z]{2})$/i;
const MOST_AS = 2 ** 32 - 1;

/**
 * null for anything else, and for an address with a name and password in it, which would be shown to all who may change
 * services.
 */
export function readSource(text: string): ListSource | null {
  const number = AS_NUMBER.exec(text)?.[1];
  if (number !== undefined) return asNumber(Number(number));
  const country = COUNTRY.exec(text)?.[1];
  if (country !== undefined) return { kind: "country", key: `country:${country.toUpperCase()}` };
  const url = /^https:\/\/\S+$/i.test(text) && URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.username !== "" || url.password !== "") return null;
  url.hash = "";
  return { kind: "list", key: url.href };
}

const asNumber = (number: number): ListSource | null =>
  number > 0 && number <= MOST_AS ? { kind: "as", key: `AS${number}` } : null;

/** What follows 'AS' or 'country:' in a canonical key. */
export const nameInKey = (key: string): string => key.replace(/^(?:AS|country:)/, "");

/** For the audit log and notices: an address may have a key in its query. */
export function shownSource(key: string): string {
  if (readSource(key)?.kind !== "list") return key;
  const { host, pathname } = new URL(key);
  return `${host}${pathname}`;
}
