import { formatAddress, formatCidr, parseCidr, readAddress } from "@krug/wireguard/addresses";

/** The upper 96 bits of ::ffff:a.b.c.d. */
const V4_IN_V6 = 0xffffn;

/**
 * Whom an address stands for when attempts are counted: an IPv4 address itself, IPv6 by its /64, which one household has
 * whole (decisions, section 2). What is no address stands for itself.
 */
export function addressGroup(address: string): string {
  const bare = address.replace(/%.*$/, "");
  const read = readAddress(bare);
  if (read?.family !== 6) return bare;
  if (read.value >> 32n === V4_IN_V6) return formatAddress(4, read.value & 0xffff_ffffn);
  const group = parseCidr(`${bare}/64`);
  return group === null ? bare : formatCidr(group);
}
