import { isIPv4, isIPv6 } from "./ip.ts";

export type Family = 4 | 6;

/** A network; `first` and `last` are its lowest and highest address as numbers. */
export interface Cidr {
  family: Family;
  /** The lowest address as canonical text (RFC 5952 for IPv6). */
  network: string;
  prefix: number;
  first: bigint;
  last: bigint;
}

interface Range {
  first: bigint;
  last: bigint;
}

const PREFIX = /^(?:0|[1-9][0-9]{0,2})$/;

/**
 * Parses 'a.b.c.d', 'a.b.c.d/n' and the IPv6 equivalents; null for anything else. A bare address is a /32 or /128. Host bits
 * are masked off, as WireGuard does with AllowedIPs. No zone ('%eth0'), blanks or leading zeros.
 */
export function parseCidr(text: string): Cidr | null {
  const slash = text.indexOf("/");
  const address = readAddress(slash === -1 ? text : text.slice(0, slash));
  if (address === null) return null;
  const prefix = slash === -1 ? bitsOf(address.family) : readPrefix(text.slice(slash + 1), address.family);
  if (prefix === null) return null;
  const hostBits = BigInt(bitsOf(address.family) - prefix);
  const first = (address.value >> hostBits) << hostBits;
  const last = first + (1n << hostBits) - 1n;
  return { family: address.family, network: formatAddress(address.family, first), prefix, first, last };
}

/** In canonical form; null unless it is an address or a network. */
export function canonicalNetwork(text: string): string | null {
  // A device's only network, nearly always: ten thousand come at once, when an interface comes back.
  if (text.endsWith("/32") && isIPv4(text.slice(0, -3))) return text;
  const cidr = parseCidr(text);
  return cidr && formatCidr(cidr);
}

/** Like parseCidr, but invalid text is the caller's mistake: throws RangeError. */
export function requireCidr(text: string): Cidr {
  const cidr = parseCidr(text);
  if (cidr === null) throw new RangeError(`Not an address or network: ${JSON.stringify(text)}`);
  return cidr;
}

/** 'network/prefix'. */
export function formatCidr({ network, prefix }: Pick<Cidr, "network" | "prefix">): string {
  return `${network}/${prefix}`;
}

/** A bare address and its number, or null. */
export function readAddress(text: string): { family: Family; value: bigint } | null {
  if (isIPv4(text)) return { family: 4, value: BigInt(numberOfV4(text)) };
  if (isIPv6(text)) return { family: 6, value: numberOfV6(text) };
  return null;
}

/** A bare address as canonical text, or null. */
export function canonicalAddress(text: string): string | null {
  const address = readAddress(text);
  return address && formatAddress(address.family, address.value);
}

/** The address with this number as text; IPv6 by RFC 5952. Throws RangeError if the number is out of the family's range. */
export function formatAddress(family: Family, value: bigint): string {
  if (value < 0n || value >> BigInt(bitsOf(family)) !== 0n) throw new RangeError(`No IPv${family} address: ${value}`);
  return family === 4 ? formatV4(Number(value)) : formatV6(value);
}

/**
 * The fewest CIDRs that cover exactly the union of `list`: IPv4 first, then IPv6, each ascending. Throws RangeError on an
 * invalid entry.
 */
export function minimalCidrs(list: readonly string[]): string[] {
  return cidrsWithout(list, []);
}

/** Like minimalCidrs, without these addresses. */
export function cidrsWithout(list: readonly string[], addresses: readonly string[]): string[] {
  const cidrs = list.map(requireCidr);
  const holes = addresses.map(requireCidr);
  return ([4, 6] as const).flatMap((family) => {
    const gaps = mergedRanges(holes, family);
    return rangesAround(mergedRanges(cidrs, family), gaps).flatMap((range) => split(family, range));
  });
}

/** The fewest CIDRs for every address of both families that is in none of `list`. */
export const everythingBut = (list: readonly string[]): string[] => cidrsWithout(["0.0.0.0/0", "::/0"], list);

/** The fewest CIDRs for an inclusive range of addresses; null unless both are of one family and in order. */
export function cidrsBetween(from: string, to: string): string[] | null {
  const [first, last] = [readAddress(from), readAddress(to)];
  if (first === null || last === null || first.family !== last.family || first.value > last.value) return null;
  return split(first.family, { first: first.value, last: last.value });
}

/** The prefix length of an IPv4 mask such as 255.255.240.0; null if it is not a mask. */
export function prefixOfMask(mask: string): number | null {
  if (!isIPv4(mask)) return null;
  const hosts = 2 ** 32 - 1 - numberOfV4(mask);
  const bits = Math.log2(hosts + 1);
  return Number.isInteger(bits) ? 32 - bits : null;
}

/** The families whose every address is in the union of `list`. */
export function wholeFamilies(list: readonly string[]): Family[] {
  const cidrs = list.map(requireCidr);
  return ([4, 6] as const).filter((family) =>
    mergedRanges(cidrs, family).some(({ first, last }) => last - first + 1n === 1n << BigInt(bitsOf(family))),
  );
}

/** Those of them that no single entry covers: they became whole by merging. */
export const familiesMergedToWhole = (list: readonly string[]): Family[] =>
  wholeFamilies(list).filter(
    (of) => !list.map(requireCidr).some(({ family, prefix }) => family === of && prefix === 0),
  );

/** Does the union of `cidrs` contain this address (or this whole network)? Throws RangeError like minimalCidrs. */
export function covers(cidrs: readonly string[], address: string): boolean {
  const { family, first, last } = requireCidr(address);
  return mergedRanges(cidrs.map(requireCidr), family).some((range) => range.first <= first && last <= range.last);
}

/** Do both share any address? Throws RangeError like minimalCidrs. */
export function cidrsOverlap(a: string, b: string): boolean {
  const left = requireCidr(a);
  const right = requireCidr(b);
  return left.family === right.family && left.first <= right.last && right.first <= left.last;
}

/** The union as ascending ranges that neither overlap nor touch. */
function mergedRanges(cidrs: readonly Cidr[], family: Family): Range[] {
  const merged: Range[] = [];
  const sorted = cidrs
    .filter((cidr) => cidr.family === family)
    .sort((a, b) => (a.first < b.first ? -1 : a.first > b.first ? 1 : 0));
  for (const { first, last } of sorted) {
    const open = merged.at(-1);
    if (open === undefined || first > open.last + 1n) merged.push({ first, last });
    else if (last > open.last) open.last = last;
  }
  return merged;
}

/** What is left of ascending ranges without the gaps, which ascend too and don't touch; in one pass over both. */
function rangesAround(ranges: readonly Range[], gaps: readonly Range[]): Range[] {
  const left: Range[] = [];
  let next = 0;
  for (const { first, last } of ranges) {
    let from = first;
    while ((gaps[next]?.last ?? last) < from) next += 1;
    // The last gap may continue in the next range.
    for (let at = next; from <= last; at += 1) {
      const gap = gaps[at];
      if (gap === undefined || gap.first > last) {
        left.push({ first: from, last });
        break;
      }
      if (gap.first > from) left.push({ first: from, last: gap.first - 1n });
      from = gap.last + 1n;
      next = at;
    }
  }
  return left;
}

/** Greedy from the left: at each address take the widest network that starts there and fits. That gives the fewest. */
function split(family: Family, { first, last }: Range): string[] {
  const cidrs: string[] = [];
  for (let at = first; at <= last; ) {
    let hostBits = 0;
    while (hostBits < bitsOf(family) && fits(at, hostBits + 1, last)) hostBits += 1;
    cidrs.push(formatCidr({ network: formatAddress(family, at), prefix: bitsOf(family) - hostBits }));
    at += 1n << BigInt(hostBits);
  }
  return cidrs;
}

function fits(at: bigint, hostBits: number, last: bigint): boolean {
  const size = 1n << BigInt(hostBits);
  return at % size === 0n && at + size - 1n <= last;
}

function bitsOf(family: Family): 32 | 128 {
  return family === 4 ? 32 : 128;
}

function readPrefix(text: string, family: Family): number | null {
  const prefix = PREFIX.test(text) ? Number(text) : Number.POSITIVE_INFINITY;
  return prefix <= bitsOf(family) ? prefix : null;
}

function numberOfV4(text: string): number {
  return text.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
}

function numberOfV6(text: string): bigint {
  const [left = "", right] = text.split("::");
  const head = groupsOf(left);
  const tail = right === undefined ? [] : groupsOf(right);
  const gap = new Array<number>(8 - head.length - tail.length).fill(0);
  return [...head, ...gap, ...tail].reduce((sum, group) => (sum << 16n) | BigInt(group), 0n);
}

/** 16-bit groups; a dotted IPv4 at the end counts as two. */
function groupsOf(text: string): number[] {
  if (text === "") return [];
  return text.split(":").flatMap((group) => {
    if (!group.includes(".")) return [Number.parseInt(group, 16)];
    const value = numberOfV4(group);
    return [Math.floor(value / 65536), value % 65536];
  });
}

function formatV4(value: number): string {
  return `${value >>> 24}.${(value >>> 16) & 255}.${(value >>> 8) & 255}.${value & 255}`;
}

function formatV6(value: bigint): string {
  // RFC 5952, section 5: IPv4-mapped addresses keep their dotted half.
  if (value >> 32n === 0xffffn) return `::ffff:${formatV4(Number(value & 0xffffffffn))}`;
  const groups = Array.from({ length: 8 }, (_, index) => Number((value >> BigInt(112 - 16 * index)) & 0xffffn));
  const { start, length } = longestZeroRun(groups);
  const hex = groups.map((group) => group.toString(16));
  // RFC 5952, section 4.2.2: '::' never replaces a single group.
  if (length < 2) return hex.join(":");
  return `${hex.slice(0, start).join(":")}::${hex.slice(start + length).join(":")}`;
}

/** The first of the longest runs of zero groups (RFC 5952, section 4.2.3). */
function longestZeroRun(groups: readonly number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  let run = { start: 0, length: 0 };
  groups.forEach((group, index) => {
    run =
      group === 0 ? { start: run.length === 0 ? index : run.start, length: run.length + 1 } : { start: 0, length: 0 };
    if (run.length > best.length) best = run;
  });
  return best;
}
