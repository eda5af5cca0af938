import { createHash } from "node:crypto";
import { reason } from "@krug/domain/reasons";
import { formatCidr, requireCidr } from "@krug/wireguard/addresses";
import { CLOSED_NETWORKS } from "@krug/wireguard/closed-networks";
import type { DesiredInterface } from "@krug/wireguard/interface";
import { z } from "zod";
import { accessText } from "./access-text.ts";
import { makeBriefLook, WITHOUT_ELEMENTS } from "./brief-look.ts";
import { forwardedByLinks, fromLinks, sentByLinks } from "./exit-text.ts";
import type { DesiredAccess, HostPort, Passing } from "./host.ts";
import { type Machine, MachineFailure, ProgramFailed, runForJson } from "./machine.ts";
import { type Resolver, resolversOf } from "./resolver.ts";
import { apartFromAnswers, loadingOver, makeMoving } from "./resolver-sets.ts";
import { ownResolversText } from "./routed-names.ts";
import { PASS_MARK } from "./routing-guard.ts";
import { routingJump, routingText } from "./routing-text.ts";

/*
 * The rule of the tunnel (decisions, section 6): a member reaches the internet and nothing else: no other members,
 * no loopback or private networks of the host, no link-local metadata address, and no closed port such as 25. Of the
 * machine's public addresses it reaches a few ports. A source address cannot be forged: WireGuard drops packets that do
 * not come from the peer's own address.
 *
 * All of it is decided in one place, before routing. Only then does a packet get the mark that the routing guard wants, so
 * none passes if the table disappears meanwhile. While a table loads, the kernel has its rules a
 * moment before the elements of its sets: what is closed to everybody is in rules, and nothing passes before the last set,
 * which holds all addresses, is there.
 */

export interface FirewallWish {
  interfaces: Pick<DesiredInterface, "name" | "addresses" | "isExit">[];
  closedTcpPorts: number[];
  openPorts: HostPort[];
  /** Where the machine serves DNS: bare addresses; 0.0.0.0 and :: for all of a family. */
  nameServers: string[];
  access: DesiredAccess;
  /** The slots of the machine's own resolvers that answer; null or omitted: it can have none. */
  answering?: ReadonlySet<number> | null;
}

/**
 * Counts whether the machine forwards packets: how many page connections and DNS queries came to the first of its firewalls, how
 * many left the last, and the same for the answers. Only a few packets of a connection are counted.
 */
const COUNTERS = (["ip", "ip6"] as const).flatMap((family) => {
  const version = family === "ip" ? (4 as const) : (6 as const);
  const isOf = `meta nfproto ipv${version}`;
  const ofAnswer = "ct state established ct direction reply";
  return [
    { from: "out", kind: "web", asks: `${isOf} ct state new meta l4proto { tcp, udp } th dport { 80, 443 }` },
    { from: "out", kind: "dns", asks: `${isOf} ct state new meta l4proto { tcp, udp } th dport 53` },
    {
      from: "back",
      kind: "web",
      asks: `${isOf} tcp sport { 80, 443 } tcp flags & (syn | ack) == syn | ack ${ofAnswer}`,
    },
    { from: "back", kind: "dns", asks: `${isOf} udp sport 53 ${ofAnswer}` },
  ].map((each) => ({ ...each, family, version, name: `${each.from}_${each.kind}_v${version}` }) as Counter);
});
interface Counter {
  name: string;
  from: Passing["way"];
  kind: Passing["kind"];
  family: "ip" | "ip6";
  version: Passing["family"];
  asks: string;
}

const Counters = z.object({
  nftables: z
    .array(z.object({ counter: z.object({ name: z.string(), packets: z.int().nonnegative() }).optional() }))
    .optional(),
});

/** Values of those counters; null without the table. @throws MachineFailure */
export async function readPassing(machine: Machine): Promise<Passing[] | null> {
  const args = ["-j", "list", "counters", "table", "inet", "krug"];
  const { nftables = [] } = await runForJson(machine, "nft", args, Counters);
  const packets = new Map(
    nftables.flatMap(({ counter }) => (counter ? [[counter.name, counter.packets] as const] : [])),
  );
  if (packets.size === 0) return null;
  const of = (name: string) => packets.get(name) ?? 0;
  return COUNTERS.map(({ name, from: way, kind, version: family }) => ({
    way,
    kind,
    family,
    begun: of(`${name}_begun`),
    passed: of(`${name}_passed`),
  }));
}

/** Names the club that owns the table: a chain without rules, which every nft lists. */
export const markOf = (club: string) => createHash("sha256").update(`krug table ${club}`).digest("hex").slice(0, 16);
const MARK = /^\s*chain of_([0-9a-f]{16}) \{$/m;

/** @throws MachineFailure if the table is another club's */
function refuseOthers(table: string | null, own: string | null): void {
  const mark = MARK.exec(table ?? "")?.[1];
  if (mark !== undefined && own !== null && mark !== own) throw new OthersTable(mark, own);
}

/** Another club's panel has its tunnels on the machine; nothing was done. */
export class OthersTable extends MachineFailure {
  constructor(other: string, own: string) {
    super("refused", reason("firewall.others", { other, own }));
  }
}

/** For a table from before marks: the tunnels that it is for. */
const tunnelsIn = (table: string): string[] =>
  [
    ...(/^\s*iifname (?:\{ ([^}]*) \}|("[^"]*")) goto from_members$/m.exec(table)?.slice(1).join("") ?? "").matchAll(
      /"([^"]*)"/g,
    ),
  ].map(([, name = ""]) => name);

/** The machine's resolvers that a table is for. */
const wantedResolvers = ({ interfaces, access }: FirewallWish) => resolversOf(interfaces, access.routing);

/** Writes the text only if the wish changed: a large club's costs as much as listing its table. */
function makeText() {
  let last: { of: string; text: string | null } | null = null;
  return (wish: FirewallWish, own: string | null): string | null => {
    const { interfaces, answering, ...others } = wish;
    const tunnels = interfaces.map(({ name, addresses, isExit }) => [name, addresses, isExit]);
    const of = JSON.stringify([own, tunnels, answering && [...answering], others]);
    if (last?.of !== of) last = { of, text: firewallText(wish, own) };
    return last.text;
  };
}

/** The complete table as nft text, without its head; null if no table is wanted. */
function firewallText(wish: FirewallWish, own: string | null): string | null {
  const { interfaces: all, closedTcpPorts, openPorts, nameServers, access, answering = null } = wish;
  const interfaces = all.filter(({ isExit }) => isExit !== true);
  if (interfaces.length === 0) return null;
  const exits = all.filter(({ isExit }) => isExit === true).map(({ name }) => name);
  // Also those that are missing: what is marked for them must not leave otherwise.
  const links = access.routing?.links ?? [];
  const resolvers = answering && new Map([...wantedResolvers(wish)].filter(([, { slot }]) => answering.has(slot)));
  const tunnels = namesOf(interfaces.map(({ name }) => name));
  const networks = interfaces.flatMap(({ addresses }) => addresses.map((each) => formatCidr(requireCidr(each))));
  const gateways = interfaces.flatMap(({ addresses }) => addresses.map((address) => address.split("/")[0] ?? ""));
  const mark = `meta mark set meta mark | ${PASS_MARK}`;
  const forget = `meta mark set meta mark & ${~PASS_MARK >>> 0}`;
  const masquerade = networks.map((cidr) => `    ${familyOf(cidr)} saddr ${cidr} oifname != ${tunnels} masquerade`);
  const answerPing = gateways.map((address) => {
    const type = address.includes(":") ? "icmpv6 type" : "icmp type";
    return `    ${familyOf(address)} daddr ${address} ${type} echo-request ${mark} accept`;
  });
  const markAnswers = networks.map((cidr) => `    ${familyOf(cidr)} daddr ${cidr} ${mark}`);
  const openTo = (["tcp", "udp"] as const).flatMap((protocol) => {
    const ports = openPorts.flatMap((each) => (each.protocol === protocol ? [each.port] : []));
    return ports.length === 0 ? [] : [`    ${protocol} dport { ${[...new Set(ports)].join(", ")} } return`];
  });
  const openDns = nameServers.map(
    (address) => `    ${serverMatch(address)} meta l4proto { tcp, udp } th dport 53 return`,
  );
  const counted = COUNTERS.map(({ name, from, asks }) => {
    const begins = from === "out" ? `iifname ${tunnels} oifname != ${tunnels}` : `oifname ${tunnels}`;
    return `    ${begins} ${asks} counter name "${name}_begun"`;
  });
  // Not every kernel knows there which interface a packet came in by.
  const countedPassed = COUNTERS.flatMap(({ name, from, family, asks }) =>
    from === "back"
      ? [`    oifname ${tunnels} ${asks} counter name "${name}_passed"`]
      : networks
          .filter((cidr) => familyOf(cidr) === family)
          .map((cidr) => `    ${family} saddr ${cidr} oifname != ${tunnels} ${asks} counter name "${name}_passed"`),
  );
  const decided = access.decided ?? [];
  const undecided = decided.length === 0 ? "" : `iifname != ${namesOf(decided)} `;
  const ofResolvers = ownResolversText(access.routing?.interfaces ?? [], resolvers, mark);
  const closedPorts = closedTcpPorts.length === 0 ? [] : [`    tcp dport { ${closedTcpPorts.join(", ")} } drop`];
  return `${own === null ? "" : `  chain of_${own} {\n  }\n`}${lines(COUNTERS.flatMap(({ name }) => [`  counter ${name}_begun { }`, `  counter ${name}_passed { }`]))}${lines(ofResolvers.counters)}  chain closed_to_members {
${lines([...CLOSED_NETWORKS.map(({ cidr }) => dropTo(cidr)), ...closedPorts])}  }
${accessText(access)}${routingText(access.routing, resolvers)}  chain to_members {
    iifname ${tunnels} drop
    ct state established,related accept
    drop
  }
  chain to_host {
    ct state established,related return
    icmp type echo-request return
    icmpv6 type echo-request return
${lines([...openTo, ...openDns])}    drop
  }
  chain from_members {
${lines([...answerPing, ...ofResolvers.fromMembers, ...networks.map(dropTo)])}    jump closed_to_members
    ip daddr != @loaded_v4 drop
    ip6 daddr != @loaded_v6 drop
    ${undecided}jump access_rules
    fib daddr type != unicast jump to_host
${lines(routingJump(access.routing))}    ${mark}
  }
${exits.length === 0 ? "" : `  chain from_links {\n${lines(fromLinks(links).map(indented))}  }\n`}  chain prerouting {
    type filter hook prerouting priority dstnat + 10; policy accept;
    iifname ${tunnels} goto from_members
${exits.length === 0 ? "" : `    iifname ${namesOf(exits)} goto from_links\n`}${lines(markAnswers)}  }
  chain forward {
    type filter hook forward priority filter - 10; policy accept;
    iifname ${tunnels} ${forget}
    oifname ${tunnels} ${forget}
    iifname ${tunnels} tcp flags syn / syn,rst tcp option maxseg size set rt mtu
    oifname ${tunnels} tcp flags syn / syn,rst tcp option maxseg size set rt mtu
${lines(forwardedByLinks(tunnels, links).map(indented))}    oifname ${tunnels} jump to_members
  }
  chain forward_first {
    type filter hook forward priority raw - 10; policy accept;
${lines(counted)}  }
  chain forward_last {
    type filter hook postrouting priority srcnat - 10; policy accept;
${lines(countedPassed)}  }
  chain input {
    type filter hook input priority filter - 10; policy accept;
    iifname ${tunnels} ${forget}
${exits.length === 0 ? "" : `    iifname ${namesOf(exits)} ${forget}\n`}  }
${links.length === 0 ? "" : `  chain output {\n    type filter hook output priority filter - 10; policy accept;\n${lines(sentByLinks(links).map(indented))}  }\n`}  chain postrouting {
    type nat hook postrouting priority srcnat; policy accept;
${lines(masquerade)}  }
${lines(ofResolvers.ownChain)}  set loaded_v4 {
    type ipv4_addr
    flags interval
    elements = { 0.0.0.0/0 }
  }
  set loaded_v6 {
    type ipv6_addr
    flags interval
    elements = { ::/0 }
  }
`;
}

/** Loads the table in one piece, and only if it differs from the current one; loading never interrupts a connection. */
export function makeFirewall(club: () => Promise<string | null> = async () => null) {
  // A club's mark never changes.
  let mark: string | null = null;
  const ownMark = async (): Promise<string | null> => {
    if (mark !== null) return mark;
    const asked = await club();
    mark = asked && markOf(asked);
    return mark;
  };

  // What we loaded last and how nft listed it then. A table that someone edited lists differently and is reloaded.
  let loaded: { wish: FirewallWish; text: string; listed: string | null } | null = null;
  const brief = makeBriefLook();
  const textOf = makeText();
  // What the machine's resolvers had added when the table was last listed.
  let answers: ReadonlyMap<string, string[]> = new Map();
  const moving = makeMoving();

  const listed = (machine: Machine, how: readonly string[] = []) =>
    machine.run("nft", ["--stateless", ...how, "list", "table", "inet", "krug"]).catch((error) => {
      if (error instanceof ProgramFailed && error.stderr.includes("No such file or directory")) return null;
      throw error;
    });

  /** As `listed`. Its sets' elements are mostly taken as they were loaded. */
  const lookAt = async (machine: Machine): Promise<string | null> => {
    const known = loaded?.listed ?? null;
    const isAsKnown = brief.suffices(known) && brief.is(known, await listed(machine, [WITHOUT_ELEMENTS]));
    return isAsKnown ? known : listed(machine);
  };

  /** `look` returns what `listed` does. A different text is loaded whatever is there. */
  const bringTo = async (machine: Machine, wish: FirewallWish, look = () => listed(machine)): Promise<void> => {
    const own = await ownMark();
    const found = await look();
    refuseOthers(found, own);
    const text = textOf(wish, own);
    if (text === null) {
      if (found !== null) await machine.run("nft", ["delete", "table", "inet", "krug"]);
      loaded = null;
      return;
    }
    const isKnown = found !== null && found === loaded?.listed;
    const seen = found === null ? null : isKnown ? { text: found, answers } : apartFromAnswers(found);
    if (seen !== null) answers = seen.answers;
    if (loaded?.text === text && loaded.listed !== null && loaded.listed === seen?.text) {
      loaded.wish = wish;
      const moved = moving(answers);
      if (moved !== null) await machine.run("nft", ["-f", "-"], { stdin: moved });
      return;
    }
    const load = (over: string | null) => machine.run("nft", ["-f", "-"], { stdin: loadingOver(over, text, answers) });
    await load(found).catch(async (error: unknown) => {
      // Somebody changed it since it was listed.
      if (!(error instanceof ProgramFailed) || found === null) throw error;
      await load(null);
    });
    // If someone edited it between the two, it must not count as ours.
    const after = apartFromAnswers((await listed(machine)) ?? "").text;
    loaded = { wish, text, listed: shapeOf(after) === shapeOf(text) ? after : null };
  };

  return {
    lookAt,
    isThere: async (machine: Machine) => (await listed(machine, [WITHOUT_ELEMENTS])) !== null,
    /**
     * `table` as returned by `listed`; `isOurs`: false for a tunnel that is somebody else's, null for one that does not exist.
     * @throws MachineFailure if another club's panel has its tunnels here
     */
    async refuseOthers(table: string | null, isOurs: (tunnel: string) => boolean | null): Promise<void> {
      const own = await ownMark();
      refuseOthers(table, own);
      if (table === null || own === null || MARK.test(table)) return;
      // From a panel before marks: its tunnels show whose it is.
      const areOurs = tunnelsIn(table).flatMap((tunnel) => isOurs(tunnel) ?? []);
      if (areOurs.length > 0 && !areOurs.includes(true)) throw new OthersTable("none, by an older panel", own);
    },
    bringTo,
    /** Loads the same table again if it was changed. */
    async restore(machine: Machine): Promise<void> {
      if (loaded !== null) await bringTo(machine, loaded.wish);
    },
    /** The resolvers that the loaded table is for. */
    resolvers: (): Resolver[] => (loaded === null ? [] : [...wantedResolvers(loaded.wish).values()]),
    /** The same table for the resolvers that answer now. @throws MachineFailure */
    async bringResolversTo(machine: Machine, answering: ReadonlySet<number> | null): Promise<void> {
      const before = loaded?.wish.answering ?? null;
      const isSame = answering === null ? before === null : before !== null && isSameSet(before, answering);
      if (loaded !== null && !isSame) await bringTo(machine, { ...loaded.wish, answering });
    },
    /** The same table with other access rules. @throws MachineFailure if none was loaded yet */
    async bringAccessTo(machine: Machine, access: DesiredAccess): Promise<void> {
      if (loaded === null) throw new MachineFailure("refused", reason("rules.no_firewall"));
      await bringTo(machine, { ...loaded.wish, access });
    },
  };
}

/**
 * A table's contents, independent of notation: for each chain its number of rules, for each set or map whether it has elements.
 */
function shapeOf(text: string): string {
  const shape = new Map<string, number>();
  let block = "";
  for (const line of text.split("\n").map((each) => each.trim())) {
    const head = /^((?:chain|set|map) \w+) \{$/.exec(line)?.[1];
    if (head !== undefined) shape.set(head, 0);
    if (head !== undefined || line === "}") block = head ?? "";
    else if (block.startsWith("chain") ? !line.startsWith("type ") : line.startsWith("elements = "))
      shape.set(block, (shape.get(block) ?? 0) + 1);
  }
  return JSON.stringify([...shape].sort());
}

const isSameSet = (a: ReadonlySet<number>, b: ReadonlySet<number>) =>
  a.size === b.size && [...a].every((each) => b.has(each));

function lines(list: string[]): string {
  return list.map((line) => `${line}\n`).join("");
}

const namesOf = (names: readonly string[]) => `{ ${names.map((name) => `"${name}"`).join(", ")} }`;
const indented = (line: string) => `    ${line}`;
const dropTo = (cidr: string) => `    ${familyOf(cidr)} daddr ${cidr} drop`;

function serverMatch(address: string): string {
  if (address === "0.0.0.0") return "meta nfproto ipv4";
  return address === "::" ? "meta nfproto ipv6" : `${familyOf(address)} daddr ${address}`;
}

function familyOf(cidr: string): "ip" | "ip6" {
  return cidr.includes(":") ? "ip6" : "ip";
}
