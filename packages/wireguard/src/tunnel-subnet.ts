import { cidrsOverlap, formatCidr, parseCidr } from "./addresses.ts";

/** Networks that nobody of the internet has (RFC 1918, section 3; RFC 6598, section 7). */
const PRIVATE = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10"];

/** From 65,534 addresses down to six: what is smaller takes too few devices, what is wider meets other networks. */
const WIDEST_PREFIX = 16;
const NARROWEST_PREFIX = 29;

/** The network as a tunnel may have it, canonical 'a.b.c.0/24'; null for what is no private IPv4 network of a useful size. */
export function readTunnelSubnet(text: string): string | null {
  const cidr = text.includes("/") ? parseCidr(text) : null;
  if (cidr === null || cidr.family !== 4) return null;
  if (cidr.prefix < WIDEST_PREFIX || cidr.prefix > NARROWEST_PREFIX) return null;
  const canonical = formatCidr(cidr);
  return PRIVATE.some((network) => cidrsOverlap(network, canonical)) ? canonical : null;
}
