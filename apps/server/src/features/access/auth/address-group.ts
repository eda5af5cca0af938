import { formatCidr, parseCidr } from "@krug/wireguard/addresses";
import type { ClientAddress } from "../../../platform/http/client-address.ts";

/**
 * What counts as one address for attempts: an IPv4 address itself, IPv6 by its /64, which belongs to one household (decisions,
 * section 2). All unreadable addresses count as one.
 */
export function addressGroup(address: ClientAddress): string {
  if (address === null) return "unreadable";
  const group = address.includes(":") ? parseCidr(`${address}/64`) : null;
  return group === null ? address : formatCidr(group);
}
