import type { Language } from "@krug/contract/refusals";
import { MOST_NETWORKS, MOST_RESOLVERS } from "@krug/domain/catalog-rules";
import { counter } from "@krug/domain/plural";
import { distinctNetworks } from "@krug/wireguard/address-list";
import { canonicalAddress, everythingBut, minimalCidrs } from "@krug/wireguard/addresses";
import { readNetworkList } from "@krug/wireguard/network-list";
import { refuseField } from "../../../platform/refusal.ts";
import type { TypedList } from "./table.ts";

const ruNetworks = counter("ru", { one: "сеть", few: "сети", many: "сетей", other: "сети" });
const ruAddresses = counter("ru", { one: "адрес", few: "адреса", many: "адресов", other: "адреса" });

const WORDS = {
  ru: {
    network: (item: string) => `«${item}» — не IP-адрес и не сеть`,
    address: (item: string) => `«${item}» — не IP-адрес`,
    tooMany: (count: number, most: number) => `это ${ruNetworks(count)}, а может быть не больше ${most}`,
    inLine: (line: number, problem: string) => `строка ${line}: ${problem}`,
    empty: "нет ни одного адреса",
    allButTyped: "нужен и typed: что не идёт через VPN",
    oneOf: "нужно одно из двух: ips или typed",
    tooManyAddresses: (count: number, most: number) => `это ${ruAddresses(count)}, а может быть не больше ${most}`,
  },
  en: {
    network: (item: string) => `“${item}” is not an IP address or network`,
    address: (item: string) => `“${item}” is not an IP address`,
    tooMany: (count: number, most: number) => `${count} networks, but the limit is ${most}`,
    inLine: (line: number, problem: string) => `line ${line}: ${problem}`,
    empty: "no addresses found",
    allButTyped: "typed is required too: the addresses to exclude",
    oneOf: "either ips or typed is required",
    tooManyAddresses: (count: number, most: number) => `${count} addresses, but the limit is ${most}`,
  },
};

/** The addresses of a service: `ips` from a program, or `typed`, from which they are read. undefined: neither was sent. */
export function checkGiven(
  {
    ips,
    typed,
    allBut = false,
  }: { ips?: readonly string[] | undefined; typed?: string | undefined; allBut?: boolean | undefined },
  language: Language,
): { ips: string[]; typed: TypedList | null } | undefined {
  if (ips !== undefined && typed !== undefined) refuseList("typed", (say) => say.oneOf, language);
  if (allBut && typed === undefined) refuseList("allBut", (say) => say.allButTyped, language);
  if (ips !== undefined) return { ips: checkNetworks(ips, language), typed: null };
  if (typed === undefined) return undefined;
  const { items, unread } = readNetworkList(typed);
  const [first] = unread;
  if (first !== undefined)
    refuseList(
      "typed",
      (say) => (first.line === null ? say.network(first.text) : say.inLine(first.line, say.network(first.text))),
      language,
      { item: first.text },
    );
  if (items.length === 0) refuseList("typed", (say) => say.empty, language);
  const given = items.map(({ text }) => text);
  const read = allBut ? bounded(everythingBut(given), language) : checkNetworks(given, language);
  if (read.length === 0) refuseList("typed", (say) => say.empty, language);
  const isPlain = !allBut && read.join(", ") === typed.trim();
  return { ips: read, typed: isPlain ? null : { typed, all_but: allBut ? 1 : 0 } };
}

/** As checkGiven, for a new service. */
export const requireGiven = (given: Parameters<typeof checkGiven>[0], language: Language) =>
  checkGiven(given, language) ?? refuseList("ips", (say) => say.oneOf, language);

/**
 * Addresses and networks of a service: trimmed, as entered, in order, each network once. A list over the limit is stored merged.
 */
export function checkNetworks(ips: readonly string[], language: Language): string[] {
  const kept = check(ips, undefined, "network", language);
  if (kept.length <= MOST_NETWORKS) return kept;
  return bounded(minimalCidrs(kept), language);
}

function bounded(merged: string[], language: Language): string[] {
  if (merged.length > MOST_NETWORKS) refuseList("ips", (say) => say.tooMany(merged.length, MOST_NETWORKS), language);
  return merged;
}

/** Addresses of resolvers; a network is not one. */
export function checkAddresses(ips: readonly string[], language: Language): string[] {
  const kept = check(ips, canonicalAddress, "address", language);
  if (kept.length > MOST_RESOLVERS)
    refuseList("ips", (say) => say.tooManyAddresses(kept.length, MOST_RESOLVERS), language);
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
  if (item !== undefined) refuseList("ips", (say) => say[problem](item), language, { item });
  return kept;
}

const refuseList = (
  field: "ips" | "typed" | "allBut",
  say: (words: typeof WORDS.ru) => string,
  language: Language,
  more: { item?: string } = {},
): never => refuseField(field, { ru: say(WORDS.ru), en: say(WORDS.en) }, { language, ...more });

/** Both 'all' and an empty choice mean every device (specification, operator's side 5). */
export function checkDeviceTypes<Device extends string>(chosen: readonly (Device | "all")[]): (Device | "all")[] {
  return chosen.length === 0 || chosen.includes("all") ? ["all"] : [...new Set(chosen)];
}
