/** What networks can be found by: the https address of a list, the number of an autonomous system, a country, a site's name. */
export type SourceKind = "list" | "as" | "country" | "domain";

export interface ListSource {
  kind: SourceKind;
  /** Canonical: 'https://…', 'AS13335', 'country:FI', 'domain:example.com'. */
  key: string;
}

const AS_NUMBER = /^AS ?(\d{1,10})$/i;
const COUNTRY = /^(?:(?:geoip|country):)?([a-z]{2})$/i;
const DOMAIN = /^(?:domain:)?([^\s/:?#@[\]\\%*]{1,253})$/i;
const HOST = /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,58}[a-z0-9])$/;
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
  const host = hostIn(DOMAIN.exec(text)?.[1] ?? "");
  if (host !== null) return { kind: "domain", key: `domain:${host}` };
  const url = /^https:\/\/\S+$/i.test(text) && URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.username !== "" || url.password !== "") return null;
  url.hash = "";
  return { kind: "list", key: url.href };
}

/** In ASCII, as resolvers are asked for it. */
function hostIn(name: string): string | null {
  const address = `https://${name.replace(/\.$/, "")}`;
  const host = URL.canParse(address) ? new URL(address).hostname : "";
  return host.length <= 253 && HOST.test(host) ? host : null;
}

const asNumber = (number: number): ListSource | null =>
  number > 0 && number <= MOST_AS ? { kind: "as", key: `AS${number}` } : null;

/** What follows 'AS', 'country:' or 'domain:' in a canonical key. */
export const nameInKey = (key: string): string => key.replace(/^(?:AS|country:|domain:)/, "");

export const isDomain = (key: string): boolean => key.startsWith("domain:");

/** For the audit log and notices: an address may have a key in its query. */
export function shownSource(key: string): string {
  if (readSource(key)?.kind !== "list") return key;
  const { host, pathname } = new URL(key);
  return `${host}${pathname}`;
}
