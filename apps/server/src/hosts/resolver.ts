import { createHash } from "node:crypto";
import { canonicalAddress } from "@krug/wireguard/addresses";
import type { DesiredInterface } from "@krug/wireguard/interface";
import { readSource } from "@krug/wireguard/list-source";
import type { DesiredRouting, Exit, ExitLink } from "./host.ts";
import { type Family, families, NFT_TABLE } from "./nft-sets.ts";
import { answerSets } from "./resolver-sets.ts";

/*
 * The machine's own resolver for routed interfaces (ADR 141): dnsmasq answers members, and puts the addresses of services' names
 * into sets of the firewall before it does. One for each DNS that members chose, since each asks another.
 */

export interface Resolver {
  /** From 1; also decides the port. */
  slot: number;
  port: number;
  /** Where it listens: an interface's own address, if its members have that family. */
  at: Record<Family, string | null>;
  config: string;
  /** Tells one config from another. */
  mark: string;
}

const PORTS_AFTER = 5300;
/** A machine has a few MB for each. Members with a further DNS ask it directly. */
const MOST_RESOLVERS = 16;
/** dnsmasq reads lines of up to 1,024 bytes. */
const MOST_SERVICES_OF_A_NAME = 10;
/** Devices ask again after this, so they soon notice that a service has another name. */
const LONGEST_TTL_S = 300;
/** dnsmasq's own limit is for a household. */
const QUESTIONS_AT_ONCE = 1_000;

/** By the place of their rule in the routing; none if no service has names. */
export function resolversOf(
  interfaces: readonly Pick<DesiredInterface, "name" | "addresses">[],
  routing: DesiredRouting | undefined,
): ReadonlyMap<number, Resolver> {
  const named = (routing?.rules ?? []).flatMap(({ names }) => (names === undefined ? [] : [names]));
  const resolvers = new Map<number, Resolver>();
  if (routing === undefined || named.length === 0) return resolvers;
  const addresses = interfaces
    .filter(({ name }) => routing.interfaces.includes(name))
    .flatMap((each) => each.addresses.map((address) => requireAddress(address)));
  const own = (family: Family) => addresses.find((address) => isOf(family, address)) ?? null;
  const sets = linesOfSets(named);
  const ways = waysOf(routing);
  for (const [place, { networks, onlyDns, sources }] of routing.rules.entries()) {
    const slot = resolvers.size + 1;
    if (!onlyDns || networks === null || networks.length === 0 || slot > MOST_RESOLVERS) continue;
    const at = Object.fromEntries(
      families.map((family) => [family, sources.some((source) => isOf(family, source)) ? own(family) : null]),
    ) as Resolver["at"];
    const port = PORTS_AFTER + slot;
    const upstreams = networks.map(requireAddress);
    const config = configText(port, at, upstreams, [...linesOfWays(ways, upstreams), ...sets]);
    const mark = createHash("sha256").update(config).digest("hex").slice(0, 16);
    resolvers.set(place, { slot, port, at, config, mark });
  }
  return resolvers;
}

const isOf = (family: Family, address: string) => address.includes(":") === (family === 6);

/** @throws RangeError: nothing else may get into a config */
function requireAddress(text: string): string {
  const address = canonicalAddress(text.split("/")[0] ?? "");
  if (address === null) throw new RangeError("a resolver's address is none");
  return address;
}

/** @throws RangeError */
function requireName(text: string): string {
  if (readSource(`domain:${text}`)?.key !== `domain:${text}`) throw new RangeError("a service's name is none");
  return text;
}

/** dnsmasq goes by the longest name that fits a question, so each line has the sets of the names above it too. */
function linesOfSets(named: readonly NonNullable<DesiredRouting["rules"][number]["names"]>[]): string[] {
  const keysOf = new Map<string, Set<string>>();
  for (const { key, domains } of named)
    for (const domain of domains) keysOf.set(domain, (keysOf.get(domain) ?? new Set()).add(key));
  return [...keysOf.keys()].sort().map((domain) => {
    const above = domain.split(".").map((_, at, labels) => labels.slice(at).join("."));
    const keys = new Set(above.flatMap((each) => [...(keysOf.get(each) ?? [])]));
    const sets = [...keys]
      .sort()
      .slice(0, MOST_SERVICES_OF_A_NAME)
      .flatMap((key) =>
        families.map((family) => `${family}#${NFT_TABLE.replace(" ", "#")}#${answerSets(key, family).asked}`),
      );
    return `nftset=/${requireName(domain)}/${sets.join(",")}`;
  });
}

/** The link by which a name's service leaves; null for straight, or if devices do not agree. */
type Ways = ReadonlyMap<string, ExitLink | null>;

function waysOf({ rules, links = [] }: DesiredRouting): Ways {
  const exitsOf = new Map<string, Set<Exit>>();
  for (const { names, exit } of rules)
    for (const domain of names?.domains ?? []) exitsOf.set(domain, (exitsOf.get(domain) ?? new Set()).add(exit));
  return new Map(
    [...exitsOf].map(([domain, exits]) => {
      const [exit] = exits;
      return [domain, (exits.size === 1 && links.find(({ number }) => number === exit)) || null];
    }),
  );
}

/**
 * A name is asked by the exit of its service: the answer fits the place it is used from, and nobody near the entry sees or forges
 * it. The rest is asked straight, and must be answered while an exit is down.
 */
function linesOfWays(ways: Ways, upstreams: readonly string[]): string[] {
  return [...ways.keys()].sort().flatMap((domain) => {
    const [, ...above] = domain.split(".").map((_, at, labels) => labels.slice(at).join("."));
    const link = ways.get(domain) ?? null;
    const inherited = ways.get(above.find((each) => ways.has(each)) ?? "") ?? null;
    if (link === inherited) return [];
    const name = requireName(domain);
    if (link === null) return upstreams.map((address) => `server=/${name}/${address}`);
    const asked = upstreams.flatMap((address) => {
      const from = link.addresses.map(requireAddress).find((own) => own.includes(":") === address.includes(":"));
      return from === undefined ? [] : [`server=/${name}/${address}@${from}`];
    });
    // Without a DNS of a family that the link has, it is asked nobody.
    return asked.length > 0 ? asked : [`server=/${name}/`];
  });
}

function configText(port: number, at: Resolver["at"], upstreams: readonly string[], names: readonly string[]): string {
  return [
    `port=${port}`,
    ...families.flatMap((family) => (at[family] === null ? [] : [`listen-address=${at[family]}`])),
    "bind-interfaces",
    "no-resolv",
    "no-hosts",
    "no-poll",
    // An answer from a cache would not come to the sets.
    "cache-size=0",
    `max-ttl=${LONGEST_TTL_S}`,
    `dns-forward-max=${QUESTIONS_AT_ONCE}`,
    // HTTPS and SVCB records hint at addresses that would not come to the sets.
    "filter-rr=HTTPS,SVCB",
    ...(at[6] === null ? ["filter-AAAA"] : []),
    ...upstreams.map((address) => `server=${address}`),
    ...names,
  ]
    .map((line) => `${line}\n`)
    .join("");
}
