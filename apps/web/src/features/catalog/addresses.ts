import { MOST_NETWORKS, MOST_RESOLVERS, MOST_TYPED } from "@krug/domain/catalog-rules";
import { distinctNetworks, readAddressList } from "@krug/wireguard/address-list";
import { canonicalAddress, type Family, familiesMergedToWhole, minimalCidrs } from "@krug/wireguard/addresses";

export interface ReadList {
  /** What is sent: without comments, as typed, unless that is more than the panel reads. */
  items: string[];
  wrong: string[];
  /** How many the panel finds: each address or network once. */
  count: number;
  /** What they merge to, where there are more of them than an entry can have. */
  networks: number;
  /** More than an entry can have, merged or not. */
  tooMany: { count: number; most: number } | null;
  /** Written as that in files, though nobody typed it. */
  mergedToWhole: Family[];
  hasComments: boolean;
}

/** What the panel will make of a typed list, by the functions that it has itself. */
export function readList(kind: "service" | "dns", text: string): ReadList {
  const { items, hasComments } = readAddressList(text);
  const isService = kind === "service";
  const { kept, wrong } = distinctNetworks(items, isService ? undefined : canonicalAddress);
  const count = kept.length;
  const most = isService ? MOST_NETWORKS : MOST_RESOLVERS;
  const networks = isService && count > most ? minimalCidrs(kept).length : count;
  return {
    items: isService && items.length > MOST_TYPED.service ? minimalCidrs(kept) : items,
    wrong,
    count,
    networks,
    tooMany: networks > most ? { count: networks, most } : null,
    mergedToWhole: isService ? familiesMergedToWhole(kept) : [],
    hasComments,
  };
}
