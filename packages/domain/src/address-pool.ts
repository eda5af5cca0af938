/** Warn when this many addresses are left: a tenth, but never more than a busy week uses. */
const LOW_SHARE = 10;
export const LOW_AT_MOST = 500;

/** Are there so few free addresses that staff should add an interface or widen one? `free` and `capacity` count devices. */
export function addressesRunLow(free: number, capacity: number): boolean {
  return free <= Math.min(LOW_AT_MOST, Math.ceil(capacity / LOW_SHARE));
}

/** Prefixes of the IPv4 subnets a new interface may have. */
export const POOL_PREFIXES = [24, 22, 20, 18] as const;

/** How many devices a subnet of this prefix takes: all addresses but the network's, the gateway's and the broadcast address. */
export const poolSize = (prefix: number): number => 2 ** (32 - prefix) - 3;
