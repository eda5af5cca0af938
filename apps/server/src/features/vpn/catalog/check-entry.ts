import type { Language } from "@krug/contract/refusals";
import { MOST_NETWORKS, MOST_RESOLVERS } from "@krug/domain/catalog-rules";
import { counter } from "@krug/domain/plural";
import { distinctNetworks } from "@krug/wireguard/address-list";
import { canonicalAddress, everythingBut, minimalCidrs } from "@krug/wireguard/addresses";
import { readSource } from "@krug/wireguard/list-source";
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
    hasSources: "у сервиса есть источники: свои адреса передавайте как typed",
    source: (item: string) => `«${item}» — не https-адрес списка, не номер AS, не страна и не имя сайта`,
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
    hasSources: "the service has sources: send its own addresses as typed",
    source: (item: string) => `“${item}” is not the https address of a list, an AS number, a country or a site's name`,
    tooManyAddresses: (count: number, most: number) => `${count} addresses, but the limit is ${most}`,
  },
};

/** What somebody gave a service besides its sources. */
export interface Given {
  /** Addresses and networks: trimmed, as entered, in order, each network once. */
  own: string[];
  /** The text they were read from. */
  typed: string | null;
  /** They are what the service leaves out. */
  allBut: boolean;
}

/** `ips` from a program, or `typed`, from which they are read. undefined: neither was sent. */
export function checkGiven(
  {
    ips,
    typed,
    allBut = false,
  }: { ips?: readonly string[] | undefined; typed?: string | undefined; allBut?: boolean | undefined },
  language: Language,
): Given | undefined {
  if (ips !== undefined && typed !== undefined) refuseList("typed", (say) => say.oneOf, language);
  if (allBut && typed === undefined) refuseList("allBut", (say) => say.allButTyped, language);
  if (ips !== undefined) return { own: check(ips, undefined, "network", language), typed: null, allBut };
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
  const given = items.map(({ text }) => text);
  return { own: check(given, undefined, "network", language), typed, allBut };
}

/** The networks of a service: its own and those of its sources. A list over the limit is stored merged. */
export function networksOf({ own, allBut }: Pick<Given, "own" | "allBut">, found: readonly string[]): string[] {
  if (allBut) return everythingBut([...own, ...found]);
  return found.length > 0 || own.length > MOST_NETWORKS ? minimalCidrs([...own, ...found]) : own;
}

/** As networksOf, if a service can have them. */
export function checkNetworks(given: Given, found: readonly string[], language: Language): string[] {
  const field = given.typed === null ? "ips" : "typed";
  const isEmpty = given.own.length + found.length === 0;
  const networks = isEmpty ? [] : networksOf(given, found);
  if (networks.length === 0) refuseList(field, (say) => say.empty, language);
  if (networks.length > MOST_NETWORKS)
    refuseList(field, (say) => say.tooMany(networks.length, MOST_NETWORKS), language);
  return networks;
}

/** The text to keep with them; null where the networks say the same. */
export function textOf(
  { own, typed, allBut }: Given,
  networks: readonly string[],
  hasSources: boolean,
): TypedList | null {
  const text = typed ?? own.join(", ");
  return !hasSources && !allBut && (typed === null || networks.join(", ") === text.trim())
    ? null
    : { typed: text, all_but: allBut ? 1 : 0 };
}

/** The sources of a service, each once. */
export function checkSources(sources: readonly string[], language: Language): string[] {
  const kept = new Set<string>();
  for (const item of sources) kept.add(readSource(item.trim())?.key ?? refuseSource(item, language));
  return [...kept];
}

const refuseSource = (item: string, language: Language) =>
  refuseList("sources", (say) => say.source(item), language, { item });

/** Addresses of a service with sources come from those as well. */
export const refuseIpsBesideSources = (language: Language) => refuseList("ips", (say) => say.hasSources, language);

export const refuseNothingGiven = (language: Language) => refuseList("ips", (say) => say.oneOf, language);

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
  field: "ips" | "typed" | "allBut" | "sources",
  say: (words: typeof WORDS.ru) => string,
  language: Language,
  more: { item?: string } = {},
): never => refuseField(field, { ru: say(WORDS.ru), en: say(WORDS.en) }, { language, ...more });

/** Both 'all' and an empty choice mean every device (specification, operator's side 5). */
export function checkDeviceTypes<Device extends string>(chosen: readonly (Device | "all")[]): (Device | "all")[] {
  return chosen.length === 0 || chosen.includes("all") ? ["all"] : [...new Set(chosen)];
}
