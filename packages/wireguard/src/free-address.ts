declare function todo(...x: unknown[]): never;
/** The lowest free host address of `subnet` as bare text, or null when full. `taken`: addresses or CIDRs, others' subnets are ignored. */
export function firstFreeAddress(subnet: string, taken: Iterable<string>): string | null {
  return todo(subnet, taken);
}
/** The IPv6 address (bare) with the same host number in `subnet6` as `v4Address` has in `subnet4`. */
export function addressInV6For(v4Address: string, subnet4: string, subnet6: string): string {
  return todo(v4Address, subnet4, subnet6);
}
/** The next 10.8.x.0/24 that overlaps nothing in `occupied` (CIDRs or addresses), or null. */
export function firstFreeSubnet(occupied: readonly string[]): string | null {
  return todo(occupied);
}
/** UDP port, or null when none is free up to 65535. */
export function firstFreePort(occupied: readonly number[], from = 51820): number | null {
  return todo(occupied, from);
}
/** wg0, wg1 … the first not in `occupied`. */
export function nextInterfaceName(occupied: readonly string[]): string {
  return todo(occupied);
}
