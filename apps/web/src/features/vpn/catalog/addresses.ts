import { MOST_NETWORKS, MOST_RESOLVERS } from "@krug/domain/catalog-rules";
import { distinctNetworks } from "@krug/wireguard/address-list";
import {
  canonicalAddress,
  everythingBut,
  type Family,
  familiesMergedToWhole,
  minimalCidrs,
} from "@krug/wireguard/addresses";
import { readNetworkList, type Unread } from "@krug/wireguard/network-list";

export interface ReadList {
  /** What the panel makes of it. */
  items: string[];
  wrong: Unread[];
  letters: number;
  hasLines: boolean;
  /** How many the panel finds: each address or network once. */
  count: number;
  /** What they merge to, or everything else. */
  networks: number;
  /** There are more of them than an entry can have, so that is what is kept. */
  isMerged: boolean;
  /** More than an entry can have, merged or not. */
  tooMany: { count: number; most: number } | null;
  /** Written as that in files, though nobody typed it. */
  mergedToWhole: Family[];
  hasComments: boolean;
  /** Not only single addresses. */
  hasNetworks: boolean;
}

/** Whether a list has more than single addresses: then its entries are called networks. */
export const haveNetworks = (items: readonly string[]): boolean =>
  items.some((item) => canonicalAddress(item) === null);

/** What the panel will make of a typed list, by the functions that it has itself. */
export function readList(kind: "service" | "dns", text: string, allBut = false): ReadList {
  const isService = kind === "service";
  const read = readNetworkList(text);
  const networksOnly = isService ? [] : read.items.filter((item) => canonicalAddress(item.text) === null);
  const items = read.items.map((item) => item.text);
  const { kept } = distinctNetworks(items, isService ? undefined : canonicalAddress);
  const count = kept.length;
  const most = isService ? MOST_NETWORKS : MOST_RESOLVERS;
  const merged = allBut ? everythingBut(kept) : isService ? minimalCidrs(kept) : kept;
  const networks = merged.length;
  return {
    items: allBut || (isService && count > most) ? merged : kept,
    wrong: [...read.unread, ...networksOnly.map((item) => ({ ...item, kind: "other" as const }))].sort(
      (one, other) => (one.line ?? 0) - (other.line ?? 0),
    ),
    letters: text.length,
    hasLines: /[\r\n]/.test(text.trim()),
    count,
    networks,
    isMerged: count > most,
    tooMany: networks > most ? { count: networks, most } : null,
    mergedToWhole: isService && !allBut ? familiesMergedToWhole(kept) : [],
    hasComments: read.hasComments,
    hasNetworks: haveNetworks(kept),
  };
}
