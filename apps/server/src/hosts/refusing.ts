import { formatCidr, requireCidr } from "@krug/wireguard/addresses";
import { z } from "zod";
import { MOST_NAME } from "./answers.ts";
import type { Tunnel } from "./carrier.ts";
import type { Refusing } from "./host.ts";
import { type Machine, orElse, runForJson } from "./machine.ts";
import {
  isOfIptables,
  Listed,
  OUR_COMMENT,
  type Packet,
  type Rule,
  type Ruleset,
  refusalOf,
  rulesetOfIptables,
  rulesetOfNft,
} from "./refusing-rules.ts";

/*
 * Others' firewalls that keep members' packets from passing through the machine: which rule it is, the command that opens it, and
 * opening it. Covers nft, iptables over nft, and iptables-legacy, which nft does not see.
 */

/** A table with the program that reads and changes it. */
interface Firewall extends Ruleset {
  program: "nft" | IptablesProgram;
  by: Refusing["by"];
}
type IptablesProgram = (typeof IPTABLES)[number]["nft" | "legacy"];

const IPTABLES = [
  { family: "ip", nft: "iptables-nft", legacy: "iptables-legacy", loaded: "/proc/net/ip_tables_names" },
  { family: "ip6", nft: "ip6tables-nft", legacy: "ip6tables-legacy", loaded: "/proc/net/ip6_tables_names" },
] as const;

const Listing = z.object({ nftables: z.array(Listed).optional() });

/** A name that needs no quoting in a command. */
const isPlainName = (name: string) => /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$/.test(name);

async function readFirewalls(machine: Machine): Promise<Firewall[]> {
  const [ofNft, ...ofLegacy] = await Promise.all([
    readNft(machine),
    ...IPTABLES.map((each) => readLegacy(machine, each)),
  ]);
  return [...ofNft, ...ofLegacy.flat()];
}

async function readNft(machine: Machine): Promise<Firewall[]> {
  const listed = await runForJson(machine, "nft", ["-j", "list", "chains"], Listing);
  const tables = new Map<string, [Ruleset["family"], string]>();
  for (const { chain } of listed.nftables ?? [])
    if (chain?.hook === "forward" && chain.table !== "krug" && isFamily(chain.family) && isPlainName(chain.table))
      tables.set(`${chain.family} ${chain.table}`, [chain.family, chain.table]);
  return Promise.all([...tables.values()].map(([family, table]) => readTable(machine, family, table)));
}

const isFamily = (family: string): family is Ruleset["family"] => ["ip", "ip6", "inet"].includes(family);

async function readTable(machine: Machine, family: Ruleset["family"], table: string): Promise<Firewall> {
  const { nftables = [] } = await runForJson(machine, "nft", ["-j", "list", "table", family, table], Listing);
  const ruleset = rulesetOfNft(family, table, nftables);
  const program = IPTABLES.find((each) => each.family === family)?.nft;
  const isIptables = table === "filter" && isOfIptables(nftables);
  if (program === undefined || !isIptables) return { ...ruleset, program: "nft", by: whose(ruleset, "nftables") };
  const text = await machine.run(program, ["-S"]).catch(orElse(null));
  if (text === null) return { ...ruleset, program: "nft", by: whose(ruleset, "iptables") };
  const read = rulesetOfIptables(family as "ip" | "ip6", text);
  return { ...read, program, by: whose(read, "iptables") };
}

async function readLegacy(
  machine: Machine,
  { family, legacy, loaded }: (typeof IPTABLES)[number],
): Promise<Firewall[]> {
  // Run without need, the program would create its tables.
  if (!(await machine.readFile(loaded))?.split("\n").includes("filter")) return [];
  const text = await machine.run(legacy, ["-S"]).catch(orElse(null));
  if (text === null) return [];
  const ruleset = rulesetOfIptables(family, text);
  return [{ ...ruleset, program: legacy, by: whose(ruleset, "iptables-legacy") }];
}

/** Recognised by the names they use. */
function whose({ table, chains }: Ruleset, otherwise: Refusing["by"]): Refusing["by"] {
  if (table === "firewalld") return "firewalld";
  if (chains.has("ufw-before-forward") || chains.has("ufw6-before-forward")) return "ufw";
  return chains.has("DOCKER-USER") ? "docker" : otherwise;
}

const Ways = z.array(z.object({ dev: z.string().max(MOST_NAME).optional() }));

/** The interface of the default route, by family; null if there is none. */
async function wayOut(machine: Machine, family: 4 | 6): Promise<string | null> {
  const destination = family === 4 ? "1.1.1.1" : "2606:4700:4700::1111";
  const answer = runForJson(machine, "ip", ["-j", "route", "get", destination], Ways);
  return (await answer.catch(orElse([])))[0]?.dev ?? null;
}

interface Found {
  firewall: Firewall;
  base: string;
  rule: Rule | null;
  packets: Packet[];
  tunnels: Set<string>;
  isSure: boolean;
}

async function find(machine: Machine, firewalls: readonly Firewall[], tunnels: readonly Tunnel[]): Promise<Found[]> {
  const [v4, v6] = await Promise.all([wayOut(machine, 4), wayOut(machine, 6)]);
  const packets = tunnels.flatMap(({ name, addresses }) =>
    addresses.flatMap((address): { name: string; packet: Packet }[] => {
      const cidr = requireCidr(address);
      const outward = cidr.family === 4 ? v4 : v6;
      const common = { family: cidr.family, members: formatCidr(cidr) };
      return [
        { name, packet: { ...common, direction: "out", from: name, to: outward } },
        { name, packet: { ...common, direction: "back", from: outward, to: name } },
      ];
    }),
  );
  const found = new Map<string, Found>();
  for (const firewall of firewalls)
    for (const base of firewall.bases)
      for (const { name, packet } of packets) {
        if (firewall.family !== "inet" && firewall.family !== (packet.family === 4 ? "ip" : "ip6")) continue;
        const refusal = refusalOf(firewall, base, packet);
        if (refusal === null) continue;
        const { rule, isSure } = refusal;
        const ofRule = rule === null ? "policy" : (rule.handle ?? rule.text);
        const key = JSON.stringify([firewall.program, firewall.family, firewall.table, base.name, ofRule, isSure]);
        const known = found.get(key) ?? { firewall, base: base.name, rule, packets: [], tunnels: new Set(), isSure };
        known.packets.push(packet);
        known.tunnels.add(name);
        found.set(key, known);
      }
  return [...found.values()];
}

/** What on the machine refuses members' packets or the answers to them, or may refuse them. Changes nothing. */
export async function findRefusing(machine: Machine, tunnels: readonly Tunnel[]): Promise<Refusing[]> {
  const firewalls = await readFirewalls(machine);
  const found = firewalls.length === 0 ? [] : await find(machine, firewalls, tunnels);
  return Promise.all(
    found.map(async ({ firewall, base, rule, packets, tunnels: names, isSure }) => ({
      by: firewall.by,
      chain:
        firewall.program === "nft" ? `${firewall.family} ${firewall.table} ${base}` : `${firewall.program} ${base}`,
      rule: rule === null ? null : (rule.text ?? (await textOf(machine, firewall, rule))),
      ways: (["out", "back"] as const).filter((way) => packets.some(({ direction }) => direction === way)),
      families: ([4, 6] as const).filter((family) => packets.some((packet) => packet.family === family)),
      isSure,
      opening: openingLines(firewall, base, [...names].sort()),
    })),
  );
}

/** A rule as nft lists it. */
async function textOf(machine: Machine, { family, table }: Firewall, { handle }: Rule): Promise<string> {
  const listed = await machine.run("nft", ["-a", "list", "table", family, table]).catch(orElse(""));
  const ending = ` # handle ${handle}`;
  const line = listed.split("\n").find((each) => each.endsWith(ending));
  return line?.slice(0, -ending.length).trim() ?? `handle ${handle}`;
}

const RELATED = ["-m", "conntrack", "--ctstate", "RELATED,ESTABLISHED"];

/** What an operator runs to open it permanently, for the program that manages it. */
function openingLines({ by, program, family, table }: Firewall, base: string, names: readonly string[]): string {
  const iptables = program === "nft" ? (family === "ip6" ? "ip6tables" : "iptables") : program.replace(/-nft$/, "");
  const inChain = (chain: string) =>
    names.flatMap((name) => [
      `${iptables} -I ${chain} -i ${name} -j ACCEPT`,
      `${iptables} -I ${chain} -o ${name} ${RELATED.join(" ")} -j ACCEPT`,
    ]);
  const lines = {
    ufw: () => names.map((name) => `ufw route allow in on ${name}`),
    firewalld: () => [
      ...names.map((name) => `firewall-cmd --permanent --zone=trusted --add-interface=${name}`),
      "firewall-cmd --reload",
    ],
    docker: () => inChain("DOCKER-USER"),
    iptables: () => inChain(base),
    "iptables-legacy": () => inChain(base),
    nftables: () =>
      names.flatMap((name) => [
        `nft insert rule ${family} ${table} ${base} iifname ${name} accept`,
        `nft insert rule ${family} ${table} ${base} oifname ${name} ct state established,related accept`,
      ]),
  }[by]();
  return lines.join("\n");
}

// Opening ----------------------------------------------------------------------------------------------------------------

/** Inserts into an iptables chain, or removes from it; marked as the panel's. */
const iptablesRules = (name: string): string[][] => [
  ["-i", name, "-m", "comment", "--comment", OUR_COMMENT, "-j", "ACCEPT"],
  ["-o", name, ...RELATED, "-m", "comment", "--comment", OUR_COMMENT, "-j", "ACCEPT"],
];

/**
 * Inserts rules into every chain of others that refuses, or may refuse, these tunnels' traffic, and removes those for other
 * tunnels. Anything already right is not touched. @throws MachineFailure
 */
export async function bringOpeningsTo(machine: Machine, tunnels: readonly Tunnel[]): Promise<void> {
  const firewalls = await readFirewalls(machine);
  if (firewalls.length === 0) return;
  const names = tunnels.map(({ name }) => name);
  for (const firewall of firewalls)
    for (const { name } of firewall.bases) await takeAway(machine, firewall, name, names);
  const found = tunnels.length === 0 ? [] : await find(machine, firewalls, tunnels);
  const put = new Set<string>();
  for (const { firewall, base, tunnels: refused } of found)
    for (const name of refused) {
      const key = [firewall.program, firewall.family, firewall.table, base, name].join(" ");
      if (put.has(key)) continue;
      put.add(key);
      await putInFront(machine, firewall, base, name);
    }
}

async function putInFront(machine: Machine, { program, family, table }: Firewall, base: string, name: string) {
  if (program !== "nft") {
    for (const rule of iptablesRules(name)) await machine.run(program, ["-I", base, ...rule]);
    return;
  }
  if (!isPlainName(base)) return;
  const insert = `insert rule ${family} ${table} ${base}`;
  await machine.run("nft", ["-f", "-"], {
    stdin: `${insert} iifname "${name}" accept comment "${OUR_COMMENT}"
${insert} oifname "${name}" ct state established,related accept comment "${OUR_COMMENT}"
`,
  });
}

/** Removes ours for tunnels that are no longer wanted. */
async function takeAway(machine: Machine, firewall: Firewall, base: string, wanted: readonly string[]): Promise<void> {
  const { program, family, table, chains } = firewall;
  const isKept = (rule: Rule) => wanted.some((name) => isFor(rule, name));
  const unwanted = (chains.get(base) ?? []).filter((rule) => rule.isOurs && !isKept(rule));
  for (const { text, handle } of unwanted) {
    if (text === null)
      await machine.run("nft", ["-f", "-"], { stdin: `delete rule ${family} ${table} ${base} handle ${handle}\n` });
    else {
      const [, name = ""] = / -[io] ([A-Za-z0-9_][A-Za-z0-9_.-]{0,14}) /.exec(text) ?? [];
      const spec = iptablesRules(name)[text.includes(` -i ${name} `) ? 0 : 1] ?? [];
      await machine.run(program, ["-D", base, ...spec]);
    }
  }
}

/** A rule of ours only matches its tunnel's packets. */
function isFor(rule: Rule, name: string): boolean {
  const common = { family: 4, members: "0.0.0.0/0" } as const;
  return (
    rule.holds({ ...common, direction: "out", from: name, to: null }) === true ||
    rule.holds({ ...common, direction: "back", from: null, to: name }) === true
  );
}
