import type { DesiredRouting } from "./host.ts";
import { block, type Family, families, NFT, networkElements, setOf, sourceElements } from "./nft-sets.ts";

/* Names on routed interfaces (ADR 166): whatever address a device asks on port 53, its own resolver answers. */

const NAMES = "meta l4proto { tcp, udp } th dport 53";

/** DNS over TLS and over QUIC: nobody can redirect them, and devices that only tried them use port 53 instead. */
export const closedNamePorts: readonly string[] = ["  meta l4proto { tcp, udp } th dport 853 drop"];

export const namesInBraces = (interfaces: readonly string[]) =>
  `{ ${interfaces.map((name) => `"${name}"`).join(", ")} }`;

interface NameRules {
  sets: string[];
  /** Of the chain that decides. */
  texts: string[];
  /** Of a chain before all others, for packets of routed interfaces. */
  redirects: string[];
}

/**
 * A rule for devices' own resolvers, whose `networks` they are. Port 53 leads to them and nowhere else; of a family in which they
 * have no address, to nothing: a device then asks over the other one.
 * @throws RangeError
 */
export const nameRules = (
  { sources, networks }: DesiredRouting["rules"][number],
  place: number,
  verdict: string,
): NameRules[] =>
  networks === null || networks.length === 0
    ? []
    : families.flatMap((family) => ofFamily(sourceElements(sources, family), networks, place, family, verdict));

function ofFamily(
  devices: readonly string[],
  networks: readonly string[],
  place: number,
  family: Family,
  verdict: string,
): NameRules[] {
  const [resolver, ...others] = networkElements(networks, family);
  if (devices.length === 0) return [];
  const { saddr, daddr } = NFT[family];
  const from = `from_${place}_v${family}`;
  const to = `to_${place}_v${family}`;
  const nowhereElse = `${saddr} @${from} ${NAMES} drop`;
  const sets = setOf(from, family, devices);
  if (resolver === undefined) return [{ sets, texts: [nowhereElse], redirects: [] }];
  const first = resolver.split("/")[0];
  return [
    {
      sets: [...sets, ...setOf(to, family, [resolver, ...others], "interval")],
      texts: [`${saddr} @${from} ${daddr} @${to} ${NAMES} ${verdict}`, nowhereElse],
      redirects: [`${saddr} @${from} ${daddr} != @${to} ${NAMES} dnat ${family === 4 ? "ip" : "ip6"} to ${first}`],
    },
  ];
}

/** As nft text, inside a table. Before the chain that decides what may pass: it sees where a packet really goes. */
export function redirectsText(interfaces: readonly string[], rules: readonly NameRules[]): string[] {
  const redirects = rules.flatMap((each) => each.redirects);
  if (redirects.length === 0) return [];
  return block("chain names", [
    "type nat hook prerouting priority dstnat; policy accept;",
    ...redirects.map((text) => `iifname ${namesInBraces(interfaces)} ${text}`),
  ]);
}
