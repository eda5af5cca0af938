import type { Language } from "@krug/contract/refusals";
import { MOST_NETWORKS, MOST_RESOLVERS } from "@krug/domain/catalog-rules";
import { distinctNetworks } from "@krug/wireguard/address-list";
import { canonicalAddress, minimalCidrs } from "@krug/wireguard/addresses";
import { refuseField } from "../../../platform/refusal.ts";

const WORDS = {
  ru: {
    network: (item: string) => `«${item}» — не IP-адрес и не сеть`,
    address: (item: string) => `«${item}» — не IP-адрес`,
    tooMany: (count: number, most: number) => `это ${count} сетей, а может быть не больше ${most}`,
    tooManyAddresses: (count: number, most: number) => `это ${count} адресов, а может быть не больше ${most}`,
  },
  en: {
    network: (item: string) => `“${item}” is not an IP address or network`,
    address: (item: string) => `“${item}” is not an IP address`,
    tooMany: (count: number, most: number) => `these are ${count} networks, and ${most} at the most are possible`,
    tooManyAddresses: (count: number, most: number) =>
      `these are ${count} addresses, and ${most} at the most are possible`,
  },
};

/**
 * Addresses and networks of a service: trimmed, as entered and in that order, each network once. A list that is longer than a service can
 * have is kept as the networks that it merges to.
 */
export function checkNetworks(ips: readonly string[], language: Language): string[] {
  const kept = check(ips, undefined, "network", language);
  if (kept.length <= MOST_NETWORKS) return kept;
  const merged = minimalCidrs(kept);
  if (merged.length > MOST_NETWORKS) refuseIps((say) => say.tooMany(merged.length, MOST_NETWORKS), language);
  return merged;
}

/** Addresses of resolvers; a network is not one. */
export function checkAddresses(ips: readonly string[], language: Language): string[] {
  const kept = check(ips, canonicalAddress, "address", language);
  if (kept.length > MOST_RESOLVERS) refuseIps((say) => say.tooManyAddresses(kept.length, MOST_RESOLVERS), language);
  return kept;
}

function check(
  ips: readonly string[],
  read: Parameters<typeof distinctNetworks>[1],
  problem: "network" | "address",
  language: Language,
) {
  const { kept, wrong } = distinctNetworks(
    ips.map((text) => text.trim()),
    read,
  );
  const [item] = wrong;
  if (item !== undefined) refuseIps((say) => say[problem](item), language, { item });
  return kept;
}

const refuseIps = (say: (words: typeof WORDS.ru) => string, language: Language, more: { item?: string } = {}): never =>
  refuseField("ips", { ru: say(WORDS.ru), en: say(WORDS.en) }, { language, ...more });

/** 'all' means every device, and so does an empty choice (specification, operator's side 5). */
export function checkDeviceTypes<Device extends string>(chosen: readonly (Device | "all")[]): (Device | "all")[] {
  return chosen.length === 0 || chosen.includes("all") ? ["all"] : [...new Set(chosen)];
}
