import { cidrsOverlap, formatCidr, parseCidr } from "./addresses.ts";

/** Networks not used on the internet (RFC 1918, section 3; RFC 6598, section 7). */
const PRIVATE = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10"];

/** From 65,534 addresses down to six: smaller networks hold too few devices, wider ones collide with other networks. */
const WIDEST_PREFIX = 16;
const NARROWEST_PREFIX = 29;

/**
 * The network in the form a tunnel may have, canonical 'a.b.c.0/24'; null unless it is a private IPv4 network of a useful
 * size.
 */
export function readTunnelSubnet(text: string): string | null {
  const cidr = text.includes("/") ? parseCidr(text) : null;
  if (cidr === null || cidr.family !== 4) return null;
  if (cidr.prefix < WIDEST_PREFIX || cidr.prefix > NARROWEST_PREFIX) return null;
  const canonical = formatCidr(cidr);
  return PRIVATE.some((network) => cidrsOverlap(network, canonical)) ? canonical : null;
}
