import { formatCidr, parseCidr } from "@krug/wireguard/addresses";
import type { ClientAddress } from "../../platform/http/client-address.ts";

/**
 * Whom an address stands for when attempts are counted: an IPv4 address itself, IPv6 by its /64, which one household has
 * whole (decisions, section 2). All that cannot be read stand for one.
 */
export function addressGroup(address: ClientAddress): string {
  if (address === null) return "unreadable";
  const group = address.includes(":") ? parseCidr(`${address}/64`) : null;
  return group === null ? address : formatCidr(group);
}
