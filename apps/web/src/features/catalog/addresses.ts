import { canonicalAddress, formatCidr, parseCidr } from "@krug/wireguard/addresses";

/** What the panel takes of one entry (its contract says the same). */
export const MOST_ADDRESSES = { service: 5_000, dns: 8 } as const;

/** A comma-separated list as its items, trimmed (admin-side, section 5); a line's end parts as a comma does. */
export const itemsOf = (text: string): string[] =>
  text
    .split(/[,\n]/)
    .map((item) => item.trim())
    .filter((item) => item !== "");

/** Items that are no address; for a service a network is one too. */
export const wrongItems = (kind: "service" | "dns", items: readonly string[]): string[] =>
  items.filter((item) => canonical(kind, item) === null);

/** How many the panel keeps: each valid address or network once. */
export const countOf = (kind: "service" | "dns", items: readonly string[]): number =>
  new Set(items.flatMap((item) => canonical(kind, item) ?? [])).size;

function canonical(kind: "service" | "dns", item: string): string | null {
  if (kind === "dns") return canonicalAddress(item);
  const cidr = parseCidr(item);
  return cidr && formatCidr(cidr);
}
