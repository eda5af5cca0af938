import type { DesiredRouting } from "./host.ts";
import { block, type Family, families, NFT, networkElements, setOf, sourceElements } from "./nft-sets.ts";
import type { Resolver } from "./resolver.ts";

/*
 * Names on routed interfaces (ADR 166): whatever address a device asks on port 53, its own resolver answers, or the machine's, which
 * asks that one (ADR 141).
 */

/** Those that answer, by the place of their rule; null if the machine can have none. */
export type AnsweringResolvers = ReadonlyMap<number, Resolver> | null;

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
  own?: Resolver,
): NameRules[] =>
  networks === null || networks.length === 0
    ? []
    : families.flatMap((family) => ofFamily(sourceElements(sources, family), networks, place, family, verdict, own));

function ofFamily(
  devices: readonly string[],
  networks: readonly string[],
  place: number,
  family: Family,
  verdict: string,
  own: Resolver | undefined,
): NameRules[] {
  const [resolver, ...others] = networkElements(networks, family);
  if (devices.length === 0) return [];
  const { saddr, daddr } = NFT[family];
  const from = `from_${place}_v${family}`;
  const to = `to_${place}_v${family}`;
  const nowhereElse = `${saddr} @${from} ${NAMES} drop`;
  const sets = setOf(from, family, devices);
  const to53 = `${saddr} @${from} ${NAMES}`;
  const address = own?.at[family] ?? null;
  const toOwn =
    own === undefined || address === null
      ? []
      : [`${to53} dnat ${family === 4 ? `ip to ${address}` : `ip6 to [${address}]`}:${own.port}`];
  if (resolver === undefined) return [{ sets, texts: [nowhereElse], redirects: toOwn }];
  const first = resolver.split("/")[0];
  return [
    {
      sets: [...sets, ...setOf(to, family, [resolver, ...others], "interval")],
      texts: [`${saddr} @${from} ${daddr} @${to} ${NAMES} ${verdict}`, nowhereElse],
      redirects: [
        ...toOwn,
        `${saddr} @${from} ${daddr} != @${to} ${NAMES} dnat ${family === 4 ? "ip" : "ip6"} to ${first}`,
      ],
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

/** How many questions came for the machine's resolvers, and how many its other firewalls let through. */
export const ASKED_COUNTER = "names_asked";
export const REACHED_COUNTER = "names_reached";

/** Lets members of routed interfaces ask the machine's resolvers; before what is closed. */
export function ownResolversText(interfaces: readonly string[], resolvers: AnsweringResolvers, mark: string) {
  const matches = [...(resolvers?.values() ?? [])].flatMap(({ at, port }) =>
    families.flatMap((family) =>
      at[family] === null
        ? []
        : [
            `iifname ${namesInBraces(interfaces)} ${NFT[family].daddr} ${at[family]} meta l4proto { tcp, udp } th dport ${port}`,
          ],
    ),
  );
  const counted = (name: string) => matches.map((match) => `    ${match} ct state new counter name "${name}"`);
  if (matches.length === 0) return { counters: [], fromMembers: [], ownChain: [] };
  return {
    counters: [`  counter ${ASKED_COUNTER} { }`, `  counter ${REACHED_COUNTER} { }`],
    fromMembers: [...counted(ASKED_COUNTER), ...matches.map((match) => `    ${match} ${mark} accept`)],
    ownChain: [
      "  chain names_reached {",
      // After all others, such as firewalld's.
      "    type filter hook input priority filter + 20; policy accept;",
      ...counted(REACHED_COUNTER),
      "  }",
    ],
  };
}
