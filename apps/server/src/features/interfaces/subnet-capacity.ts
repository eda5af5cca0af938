import { requireCidr } from "@krug/wireguard/addresses";

/** How many devices a subnet takes: without the network's, the gateway's and the broadcast address. */
export function capacityOf(subnet: string): number {
  const { first, last } = requireCidr(subnet);
  return Number(last - first) - 2;
}
