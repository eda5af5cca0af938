import { cidrsWithout, requireCidr } from "./addresses.ts";

/** What one list has that the other lacks, as the fewest networks. */
export interface NetworkChange {
  gained: string[];
  lost: string[];
}

export const changeBetween = (before: readonly string[], after: readonly string[]): NetworkChange => ({
  gained: cidrsWithout(after, before),
  lost: cidrsWithout(before, after),
});

/** Whether more than half of the addresses of either family came or went. `before` does not overlap. */
export function isLargeChange(before: readonly string[], { gained, lost }: NetworkChange): boolean {
  return ([4, 6] as const).some((family) => {
    const half = sizeOf(before, family) / 2;
    return sizeOf(gained, family) > half || sizeOf(lost, family) > half;
  });
}

/** In addresses, as far as a number is exact. */
function sizeOf(networks: readonly string[], family: 4 | 6): number {
  return networks
    .map(requireCidr)
    .reduce((sum, cidr) => (cidr.family === family ? sum + Number(cidr.last - cidr.first + 1n) : sum), 0);
}
