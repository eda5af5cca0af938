import { BlockList } from "node:net";
import { formatAddress, parseCidr, readAddress } from "@krug/wireguard/addresses";

/** The upper 96 bits of ::ffff:a.b.c.d. */
const V4_IN_V6 = 0xffffn;

/** An address in plain form: no zone, and unwrapped if a socket gives an IPv4 address as IPv6. Null if it is not an address. */
export function plainAddress(address: string): string | null {
  const read = readAddress(address.split("%", 1)[0] ?? "");
  if (read === null) return null;
  if (read.family === 6 && read.value >> 32n === V4_IN_V6) return formatAddress(4, read.value & 0xffff_ffffn);
  return formatAddress(read.family, read.value);
}

export type Networks = (address: string) => boolean;

/** Is a plain address in one of these? Invalid entries are ignored. */
export function networksOf(cidrs: readonly string[]): Networks {
  const list = new BlockList();
  for (const text of cidrs) {
    const cidr = parseCidr(plainAddress(text) ?? text);
    if (cidr !== null) list.addSubnet(cidr.network, cidr.prefix, cidr.family === 4 ? "ipv4" : "ipv6");
  }
  return (address) => list.check(address, address.includes(":") ? "ipv6" : "ipv4");
}
