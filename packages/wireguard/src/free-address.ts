import { cidrsOverlap, formatAddress, readAddress, requireCidr } from "./addresses.ts";

const HIGHEST_PORT = 65535;

/**
 * The IPv6 counterpart of an IPv4 address: the same host number in `subnet6`, as bare text. Throws RangeError if the address is
 * not in `subnet4` or `subnet6` has no such number.
 */
export function addressInV6For(v4Address: string, subnet4: string, subnet6: string): string {
  const address = readAddress(v4Address);
  const v4 = requireCidr(subnet4);
  const v6 = requireCidr(subnet6);
  if (address?.family !== 4 || v4.family !== 4 || v6.family !== 6) throw new RangeError("Wants IPv4, IPv4, IPv6");
  if (address.value < v4.first || address.value > v4.last) throw new RangeError(`${v4Address} is not in ${subnet4}`);
  const twin = v6.first + (address.value - v4.first);
  if (twin > v6.last) throw new RangeError(`${subnet6} is too small for the twin of ${v4Address}`);
  return formatAddress(6, twin);
}

/** Where to look for a subnet, in this order: the next only if the one before has none. */
const POOLS = ["10.8.0.0/16", "172.16.0.0/12", "192.168.0.0/16"].map(requireCidr);

/**
 * The next free private network of this prefix, 16 or more, or null (decisions, section 7). `occupied` holds addresses or
 * networks in use on the host; leave out its default route, which overlaps everything.
 */
export function firstFreeSubnet(occupied: readonly string[], prefix = 24): string | null {
  const taken = occupied.map(requireCidr).filter(({ family }) => family === 4);
  const size = 2n ** BigInt(32 - prefix);
  for (const pool of POOLS) {
    let at = pool.first;
    while (at <= pool.last) {
      const last = at + size - 1n;
      const met = taken.find((used) => used.first <= last && at <= used.last);
      if (met === undefined) return `${formatAddress(4, at)}/${prefix}`;
      at = (met.last / size + 1n) * size;
    }
  }
  return null;
}

/** A /64 of a unique local network (RFC 4193, section 3.2) that overlaps nothing in use on the host. */
export function freeSubnetV6(occupied: readonly string[]): string {
  for (;;) {
    const [a = 0, b = 0, c = 0] = crypto.getRandomValues(new Uint16Array(3));
    const value = [0xfd00 | (a & 0xff), b, c].reduce((sum, group) => (sum << 16n) | BigInt(group), 0n) << 80n;
    const subnet = `${formatAddress(6, value)}/64`;
    if (!occupied.some((used) => cidrsOverlap(subnet, used))) return subnet;
  }
}

/** The first free UDP port at or above `from`, or null. */
export function firstFreePort(occupied: readonly number[], from = 51820): number | null {
  const busy = new Set(occupied);
  for (let port = from; port <= HIGHEST_PORT; port += 1) if (!busy.has(port)) return port;
  return null;
}

/** wg0, wg1 … the first one not in `occupied`. */
export function nextInterfaceName(occupied: readonly string[]): string {
  const busy = new Set(occupied);
  let number = 0;
  while (busy.has(`wg${number}`)) number += 1;
  return `wg${number}`;
}
