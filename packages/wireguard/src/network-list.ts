import { partLines } from "./address-list.ts";
import { cidrsBetween, parseCidr, prefixOfMask, readAddress } from "./addresses.ts";

/** An entry of a service's list, and its position. */
export interface ListItem {
  text: string;
  /** From 1; null if the list is not text with lines. */
  line: number | null;
}

/** Other content of a list: a site's `name`, the number of an autonomous system (`as`), or something unreadable. */
export interface Unread extends ListItem {
  kind: "name" | "as" | "other";
}

export interface NetworkList {
  /** Addresses and networks, in order and as written; ranges and masks as the networks they make. */
  items: ListItem[];
  unread: Unread[];
  hasComments: boolean;
}

/**
 * A list of addresses and networks in any common form: text with comments, in columns or one line, ranges, masks, JSON (arrays,
 * AmneziaVPN's sites, what AWS, Google, GitHub and others publish), lines of ipset, nft, RouterOS, Clash, 'route add', Keenetic
 * and a config's AllowedIPs. What such programs write around the addresses is skipped; anything else that is not an address goes to
 * `unread`.
 */
export function readNetworkList(text: string): NetworkList {
  const given = text.replace(/^\uFEFF/, "");
  const list: NetworkList = { items: [], unread: [], hasComments: false };
  const json = jsonOf(given);
  if (json !== undefined) readJson(json, Array.isArray(json), take(list, null));
  else
    partLines(given).forEach(({ said, comment }, index) => {
      if (comment !== undefined) list.hasComments = true;
      readLine(said.trim(), take(list, index + 1));
    });
  return list;
}

interface Taker {
  /** Returns whether it was an address, a network, a range or an address with a mask. */
  network: (text: string, mask?: string) => boolean;
  unread: (text: string) => void;
}

const take = ({ items, unread }: NetworkList, line: number | null): Taker => ({
  network(text, mask) {
    const networks = networksOf(text, mask);
    for (const network of networks ?? []) items.push({ text: network, line });
    return networks !== null;
  },
  unread: (text) => void unread.push({ text, line, kind: kindOf(text) }),
});

const NAME = /^(?:\*?\.)?(?:[\p{L}\p{N}_-]{1,63}\.){1,20}\p{L}{2,63}\.?$/u;
const AS_NUMBER = /^AS ?\d{1,10}$/i;
const kindOf = (text: string) => (NAME.test(text) ? "name" : AS_NUMBER.test(text) ? "as" : "other");

/** null unless it is one of these. */
function networksOf(text: string, mask?: string): string[] | null {
  const bare = text.startsWith("[") && text.endsWith("]") ? text.slice(1, -1) : text;
  if (mask !== undefined) return withMask(bare, mask);
  if (parseCidr(bare) !== null) return [bare];
  const slash = bare.indexOf("/");
  if (slash !== -1) return withMask(bare.slice(0, slash), bare.slice(slash + 1));
  const dash = bare.indexOf("-");
  if (dash === -1) return null;
  const from = bare.slice(0, dash);
  const to = bare.slice(dash + 1);
  // '10.0.0.1-20' gives only the last number.
  return cidrsBetween(from, /^\d{1,3}$/.test(to) ? `${from.slice(0, from.lastIndexOf("."))}.${to}` : to);
}

function withMask(address: string, mask: string): string[] | null {
  const prefix = prefixOfMask(mask);
  return prefix === null || readAddress(address)?.family !== 4 ? null : [`${address}/${prefix}`];
}

function jsonOf(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const NAMED_SITE = ["hostname", "domain"];

/** `isList`: each text is meant as an address. Elsewhere most texts describe: a region, a date. */
function readJson(value: unknown, isList: boolean, taker: Taker): void {
  if (typeof value === "string") {
    const text = value.trim();
    if (text === "" || taker.network(text)) return;
    if (isList || kindOf(text) !== "other") taker.unread(text);
  } else if (Array.isArray(value)) {
    for (const each of value) readJson(each, isList, taker);
  } else if (typeof value === "object" && value !== null) {
    const fields = Object.entries(value);
    // AmneziaVPN's sites: the address next to a name is what the name resolved to once.
    const site = fields.find(([key]) => NAMED_SITE.includes(key));
    if (typeof site?.[1] === "string") readJson(site[1], true, taker);
    else
      for (const [, field] of fields)
        if (typeof field !== "string") readJson(field, false, taker);
        else taker.network(field.trim());
  }
}

/** What programs write around their addresses, between any two of `{`, `}`, `,` and `;`. */
const AROUND =
  /^(?:(?:create|flush|destroy|table|set|typeof|type|flags|chain|define|(?:nft )?add element)\s.*|auto-merge|commit|payload:|elements\s*=|\/ip(?:v6)?[ /]firewall[ /]address-list|\[(?:peer|interface)\])$/i;
const ROUTER_OS = /(?:^|\s)(?:dst-)?address="?([^\s"]+)/i;
const IPSET = /^(?:(?:sudo\s+)?ipset\s+(?:-\S+\s+)?)?(?:add|-A)\s+(?!element\s)\S+\s+(\S+)/i;
const ROUTE = /^(?:push\s+"?)?(?:sudo\s+)?(?:ip\s+)?(?:-[46]\s+)?(?:ipv6\s+)?route\s+(\S.*)$/i;
const CLASH = /^(?:IP-CIDR6?|IP-ASN|DOMAIN|DOMAIN-SUFFIX|DOMAIN-KEYWORD|HOST|HOST-SUFFIX)\s*,\s*([^\s,]+)/i;
const KEY = /^(?:allowed-?ips|address(?:es)?|ips?|cidr)\s*(?:=|:\s)\s*/i;

function readLine(line: string, taker: Taker): void {
  if (line === "" || taker.network(line)) return;
  const plain = line.replace(/^[-*\u2022+]\s+/, "");
  const only = /=/.test(plain) && /^(?:\/ip|add\s|set\s)/i.test(plain) ? ROUTER_OS.exec(plain)?.[1] : undefined;
  const one = only ?? CLASH.exec(unquoted(plain))?.[1] ?? IPSET.exec(plain)?.[1];
  const route = ROUTE.exec(plain)?.[1];
  if (one !== undefined) {
    if (!taker.network(one)) taker.unread(one);
  } else if (route !== undefined) readRoute(route.split(/[\s"]+/), line, taker);
  else for (const piece of plain.replace(KEY, "").split(/[,;{}|]/)) readPiece(piece, taker);
}

/** A route's destination; the gateway does not matter. */
function readRoute(words: readonly string[], line: string, taker: Taker): void {
  const at = words.findIndex((word) => readAddress(word.split("/")[0] ?? "") !== null);
  const [to = "", next, last] = words.slice(Math.max(0, at));
  const mask = /^(?:net)?mask$/i.test(next ?? "") ? last : next;
  const isMasked = !to.includes("/") && mask !== undefined && prefixOfMask(mask) !== null;
  if (!taker.network(to, isMasked ? mask : undefined)) taker.unread(line);
}

const unquoted = (text: string) => text.replace(/["'`\u00ab\u00bb\u201c\u201d]/g, " ").trim();

/**
 * The text between two commas: words, two of which may be an address and its mask, or a range. If none can be read, it is one
 * item.
 */
function readPiece(piece: string, taker: Taker): void {
  const text = unquoted(piece).replace(/\s*[\u2013\u2014]\s*|\s-\s/g, "-");
  if (text === "") return;
  const words = text.split(/\s+/);
  const strange: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const [word = "", next] = words.slice(at, at + 2);
    // No requested address starts with 255.
    if (next?.startsWith("255.") && taker.network(word, next)) at += 1;
    else if (!taker.network(word)) strange.push(word);
  }
  if (strange.length < words.length) for (const word of strange) taker.unread(word);
  else if (!AROUND.test(text) || words.some((word) => kindOf(word) !== "other")) taker.unread(text);
}
