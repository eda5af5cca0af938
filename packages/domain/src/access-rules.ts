/** blacklist: dropped for the members the rule covers; whitelist: an exception, which wins (decisions, section 7). */
export const RULE_TYPES = ["blacklist", "whitelist"] as const;
export type RuleType = (typeof RULE_TYPES)[number];

/** Outgoing mail is closed by default, so no member can turn the server's address into a spammer's (decisions, section 6). */
export const CLOSED_TCP_PORTS: readonly number[] = [25];

export const MOST_RULES = 1_000;
/** Members one rule may name. Beyond that, make the rule for everyone or split it. */
export const MOST_SELECTED = 10_000;
/** Mentions of members in all rules together, repeats included: keeps a server's tables small. */
export const MOST_SELECTED_IN_ALL = 50_000;

/** Domains are resolved again this often, because their addresses change (decisions, section 7). */
export const ASK_NAMES_EVERY_MS = 5 * 60_000;
/** A domain whose addresses were never found is retried sooner, because its rule has no effect yet. */
export const ASK_UNFOUND_NAMES_EVERY_MS = 30_000;
/** More addresses than any real site's domain has at once. */
export const MOST_ADDRESSES_OF_A_NAME = 256;

export interface Address {
  family: 4 | 6;
  value: bigint;
}

/** Both ends included. */
export interface AddressRange {
  family: 4 | 6;
  first: bigint;
  last: bigint;
}

export interface AccessRule {
  type: RuleType;
  appliesTo: "all" | ReadonlySet<string>;
  /** The target's addresses as currently known; a domain may have none. */
  ranges: readonly AddressRange[];
}

/** What no rule can open: networks outside the internet, and ports. */
export interface Closures<Why> {
  networks: readonly (AddressRange & { why: Why })[];
  tcpPorts: readonly number[];
  /** On the member's own server, only these TCP ports are open. */
  ownServer: { addresses: readonly AddressRange[]; openTcpPorts: readonly number[] };
}

export interface Destination {
  address: Address;
  /** TCP port; null if the question names none. */
  tcpPort: number | null;
}

export type Passage<Rule, Why> =
  | { open: true; by: "default" }
  | { open: true; by: "whitelist"; rule: Rule }
  | { open: false; by: "blacklist"; rule: Rule }
  | { open: false; by: "closed"; why: Why }
  | { open: false; by: "closed_port" };

/**
 * May a member's packet reach its destination, and what decides it? What the club closes for everybody stays closed. Then
 * exceptions win, then bans apply, and everything else passes. If several rules give the same verdict, the answer names the one
 * with the narrowest network, then the first in the list.
 */
export function passage<Rule extends AccessRule, Why>(
  memberId: string,
  { address, tcpPort }: Destination,
  rules: readonly Rule[],
  closures: Closures<Why>,
): Passage<Rule, Why> {
  const closed = closures.networks.find((network) => holds(network, address));
  if (closed) return { open: false, by: "closed", why: closed.why };
  if (tcpPort !== null && isClosedPort(tcpPort, address, closures)) return { open: false, by: "closed_port" };
  const deciding = (type: RuleType) =>
    narrowest(rules, address, (rule) => rule.type === type && concerns(rule, memberId));
  const exception = deciding("whitelist");
  if (exception) return { open: true, by: "whitelist", rule: exception };
  const ban = deciding("blacklist");
  return ban ? { open: false, by: "blacklist", rule: ban } : { open: true, by: "default" };
}

const isClosedPort = (port: number, address: Address, { tcpPorts, ownServer }: Closures<unknown>) =>
  tcpPorts.includes(port) ||
  (!ownServer.openTcpPorts.includes(port) && ownServer.addresses.some((range) => holds(range, address)));

const concerns = ({ appliesTo }: AccessRule, memberId: string) => appliesTo === "all" || appliesTo.has(memberId);

const holds = (range: AddressRange, { family, value }: Address) =>
  range.family === family && range.first <= value && value <= range.last;

function narrowest<Rule extends AccessRule>(
  rules: readonly Rule[],
  address: Address,
  counts: (rule: Rule) => boolean,
): Rule | null {
  let found: { rule: Rule; width: bigint } | null = null;
  for (const rule of rules) {
    if (!counts(rule)) continue;
    for (const range of rule.ranges) {
      const width = range.last - range.first;
      if (holds(range, address) && (found === null || width < found.width)) found = { rule, width };
    }
  }
  return found?.rule ?? null;
}

/** Members under the same rules of their own: each packet is looked up once, however many rules there are. */
export function groupBySelection(selections: Iterable<{ ruleId: string; memberIds: Iterable<string> }>) {
  const rulesOf = new Map<string, string[]>();
  for (const { ruleId, memberIds } of selections)
    for (const memberId of memberIds) {
      const own = rulesOf.get(memberId);
      if (own === undefined) rulesOf.set(memberId, [ruleId]);
      else own.push(ruleId);
    }
  const groups = new Map<string, { ruleIds: string[]; memberIds: string[] }>();
  for (const [memberId, ruleIds] of rulesOf) {
    const key = ruleIds.join(" ");
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { ruleIds, memberIds: [memberId] });
    else group.memberIds.push(memberId);
  }
  return [...groups.values()];
}
