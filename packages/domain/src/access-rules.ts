/** blacklist: dropped for whom the rule applies to; whitelist: an exception, and it wins (decisions, section 7). */
export const RULE_TYPES = ["blacklist", "whitelist"] as const;
export type RuleType = (typeof RULE_TYPES)[number];

/** Mail to the outside is closed by default, so that no member can make the server's address a spammer's (decisions, section 6). */
export const CLOSED_TCP_PORTS: readonly number[] = [25];

export const MOST_RULES = 1_000;
/** Members that one rule may name. More of them are 'everyone', or belong apart. */
export const MOST_SELECTED = 10_000;
/** Members named by all rules together, each as often as he is: what a server's tables are held small by. */
export const MOST_SELECTED_IN_ALL = 50_000;

/** Names are asked for again this often, for an address may have become another (decisions, section 7). */
export const ASK_NAMES_EVERY_MS = 5 * 60_000;
/** A name whose addresses were never found is asked for sooner: its rule does nothing yet. */
export const ASK_UNFOUND_NAMES_EVERY_MS = 30_000;
/** More addresses than any name of one site has at once. */
export const MOST_ADDRESSES_OF_A_NAME = 256;

export interface Address {
  family: 4 | 6;
  value: bigint;
}

/** Both ends belong to it. */
export interface AddressRange {
  family: 4 | 6;
  first: bigint;
  last: bigint;
}

export interface AccessRule {
  type: RuleType;
  appliesTo: "all" | ReadonlySet<string>;
  /** The target's addresses as they are known now; a name may have none. */
  ranges: readonly AddressRange[];
}

/** What no rule opens: networks that are not the internet, and ports. */
export interface Closures<Why> {
  networks: readonly (AddressRange & { why: Why })[];
  tcpPorts: readonly number[];
}

export interface Destination {
  address: Address;
  /** TCP; null where none is asked about. */
  tcpPort: number | null;
}

export type Passage<Rule, Why> =
  | { open: true; by: "default" }
  | { open: true; by: "whitelist"; rule: Rule }
  | { open: false; by: "blacklist"; rule: Rule }
  | { open: false; by: "closed"; why: Why }
  | { open: false; by: "closed_port" };

/**
 * May a member's packet pass to where it goes, and what decides it? What the club closes for everybody stays closed whatever
 * the rules say; then an exception wins; then what is forbidden is dropped; the rest passes. Of several rules that would
 * decide alike, the one with the narrowest network is named, then the first of the list.
 */
export function passage<Rule extends AccessRule, Why>(
  memberId: string,
  { address, tcpPort }: Destination,
  rules: readonly Rule[],
  closures: Closures<Why>,
): Passage<Rule, Why> {
  const closed = closures.networks.find((network) => holds(network, address));
  if (closed) return { open: false, by: "closed", why: closed.why };
  if (tcpPort !== null && closures.tcpPorts.includes(tcpPort)) return { open: false, by: "closed_port" };
  const deciding = (type: RuleType) =>
    narrowest(rules, address, (rule) => rule.type === type && concerns(rule, memberId));
  const exception = deciding("whitelist");
  if (exception) return { open: true, by: "whitelist", rule: exception };
  const ban = deciding("blacklist");
  return ban ? { open: false, by: "blacklist", rule: ban } : { open: true, by: "default" };
}

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

/** Members who share the same rules of their own, so that a packet is looked up once, however many rules there are. */
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
