import type { Language } from "@krug/contract/refusals";
import { canonicalAddress, formatCidr, parseCidr } from "@krug/wireguard/addresses";
import { refuse } from "../../platform/refusal.ts";

const words = {
  ru: {
    network: (item: string) => `«${item}» — не IP-адрес и не сеть`,
    address: (item: string) => `«${item}» — не IP-адрес`,
  },
  en: {
    network: (item: string) => `“${item}” is not an IP address or network`,
    address: (item: string) => `“${item}” is not an IP address`,
  },
};

/** Addresses and networks of a service: trimmed, as entered and in that order, each network once. */
export const checkNetworks = (ips: readonly string[], language: Language) =>
  check(ips, canonicalNetwork, words[language].network);

/** Addresses of resolvers; a network is not one. */
export const checkAddresses = (ips: readonly string[], language: Language) =>
  check(ips, canonicalAddress, words[language].address);

function canonicalNetwork(text: string): string | null {
  const cidr = parseCidr(text);
  return cidr && formatCidr(cidr);
}

function check(ips: readonly string[], canonical: (text: string) => string | null, problem: (item: string) => string) {
  const kept = new Map<string, string>();
  for (const item of ips.map((text) => text.trim())) {
    const same = canonical(item) ?? refuse("request.invalid", { field: "ips", problem: problem(item), item });
    if (!kept.has(same)) kept.set(same, item);
  }
  return [...kept.values()];
}

/** 'all' means every device, and so does an empty choice (admin-side, section 5). */
export function checkDeviceTypes<Device extends string>(chosen: readonly (Device | "all")[]): (Device | "all")[] {
  return chosen.length === 0 || chosen.includes("all") ? ["all"] : [...new Set(chosen)];
}
