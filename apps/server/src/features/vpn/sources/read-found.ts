import { MOST_NETWORKS } from "@krug/domain/catalog-rules";
import { type Reason, reason } from "@krug/domain/reasons";
import { cidrsWithout } from "@krug/wireguard/addresses";
import { CLOSED_NETWORKS } from "@krug/wireguard/closed-networks";
import { readNetworkList } from "@krug/wireguard/network-list";

export interface FoundNetworks {
  /** The fewest. */
  networks: string[];
  /** Lines that are no network. */
  unread: number;
}

/** A list of the internet has no business with networks at home, nor with IPv4 inside IPv6 (RFC 4380, 3056). */
const CLOSED = [...CLOSED_NETWORKS.map(({ cidr }) => cidr), "2001::/32", "2002::/16"];

/** What a list at an address contains, or why it is none. */
export function readFound(text: string): FoundNetworks | { problem: Reason } {
  const { items, unread } = readNetworkList(text);
  const strange = unread.filter(({ kind }) => kind === "other").length;
  // A page that says 'not found' may have an address in it.
  if (strange > items.length)
    return { problem: reason("source.not_a_list", { unread: strange, networks: items.length }) };
  return counted(
    items.map((item) => item.text),
    unread.length,
  );
}

/** The fewest networks, if a service can have them. */
export function counted(found: readonly string[], unread = 0): FoundNetworks | { problem: Reason } {
  const networks = cidrsWithout(found, CLOSED);
  if (networks.length === 0) return { problem: reason("source.no_networks") };
  if (networks.length > MOST_NETWORKS)
    return { problem: reason("source.too_many", { count: networks.length, most: MOST_NETWORKS }) };
  return { networks, unread };
}
