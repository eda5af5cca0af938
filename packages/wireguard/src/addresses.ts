export type Family = 4 | 6;
/** A network; `first` and `last` are its lowest and highest address as numbers. */
export interface Cidr {
  family: Family;
  /** The lowest address, canonical text (RFC 5952 for IPv6). */
  network: string;
  prefix: number;
  first: bigint;
  last: bigint;
}
declare function todo(...x: unknown[]): never;
/** 'a.b.c.d', 'a.b.c.d/n' or the IPv6 alike; bare addresses are /32 or /128, host bits are masked off. Null for anything else. */
export function parseCidr(text: string): Cidr | null {
  return todo(text);
}
/** `network/prefix`. */
export function formatCidr(cidr: Cidr): string {
  return todo(cidr);
}
/** A bare address in canonical text, or null. */
export function canonicalAddress(text: string): string | null {
  return todo(text);
}
export function formatAddress(family: Family, value: bigint): string {
  return todo(family, value);
}
/** The fewest CIDRs that cover exactly the union; IPv4 first, ascending. Throws RangeError on an entry that is none. */
export function minimalCidrs(list: readonly string[]): string[] {
  return todo(list);
}
/** Is this address (or whole network) inside the union of `cidrs`? */
export function covers(cidrs: readonly string[], address: string): boolean {
  return todo(cidrs, address);
}
export function cidrsOverlap(a: string, b: string): boolean {
  return todo(a, b);
}
