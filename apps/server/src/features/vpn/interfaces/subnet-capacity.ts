import { poolSize } from "@krug/domain/address-pool";
import { requireCidr } from "@krug/wireguard/addresses";

/** The addresses for devices, as numbers: all but the network's, the gateway's and the broadcast address. */
export function hostNumbersOf(subnet: string): { first: number; last: number } {
  const { first, last } = requireCidr(subnet);
  return { first: Number(first) + 2, last: Number(last) - 1 };
}

/** How many devices fit in a subnet. */
export function capacityOf(subnet: string): number {
  return poolSize(requireCidr(subnet).prefix);
}
