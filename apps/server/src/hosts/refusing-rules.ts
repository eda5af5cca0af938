import { parseCidr, requireCidr } from "@krug/wireguard/addresses";
import { z } from "zod";

/*
 * What somebody else's firewall does with members' packets, found by evaluating its rules as the kernel would: for the opening of
 * a web page, and for the answer. A rule that can be evaluated neither as true nor as false leaves a doubt, and nothing after it
 * is sure.
 */

/** True, false, or unknown. */
type Truth = boolean | null;

/** An ordinary packet of a member, or the answer to it. */
export interface Packet {
  direction: "out" | "back";
  family: 4 | 6;
  /** The interfaces by which it enters and leaves; null if unknown. */
  from: string | null;
  to: string | null;
  /** The members' network, as a CIDR. */
  members: string;
}

/** What a rule does when it matches. */
type Does = { verdict: "accept" | "drop" | "return" } | { goesTo: string; returns: boolean } | "goes on" | "unknown";

export interface Rule {
  /** As its program lists it; null if only its number is known. */
  text: string | null;
  handle: number | null;
  /** The panel put it there. */
  isOurs: boolean;
  holds(packet: Packet): Truth;
  does(packet: Packet): Does;
}

/** A firewall's table. */
export interface Ruleset {
  family: "ip" | "ip6" | "inet";
  table: string;
  chains: ReadonlyMap<string, readonly Rule[]>;
  /** Those that packets pass on their way through the machine. */
  bases: { name: string; policy: "accept" | "drop" }[];
}

export const OUR_COMMENT = "krug";

/** What a table does with a packet that a base chain refuses, or may refuse; null if it surely lets it through. */
export interface Refusal {
  /** Null for the chain's policy. */
  rule: Rule | null;
  isSure: boolean;
}

export function refusalOf({ chains }: Ruleset, base: Ruleset["bases"][number], packet: Packet): Refusal | null {
  const { verdict, isSure, at, doubt } = follow(chains, base.name, packet, 0, { steps: MOST_STEPS });
  if (verdict === "drop" || (verdict === "return" && base.policy === "drop"))
    return { rule: verdict === "drop" ? at : null, isSure };
  return doubt === null ? null : { rule: doubt, isSure: false };
}

interface Outcome {
  verdict: "accept" | "drop" | "return";
  isSure: boolean;
  at: Rule | null;
  /** The first earlier rule that may have dropped it. */
  doubt: Rule | null;
}

/** The kernel allows 16. */
const DEPTH = 16;
/** Rules evaluated per packet: chains that jump to each other a thousand times each would never end. */
const MOST_STEPS = 100_000;

function follow(
  chains: Ruleset["chains"],
  name: string,
  packet: Packet,
  depth: number,
  left: { steps: number },
): Outcome {
  let isSure = true;
  let doubt: Rule | null = null;
  const rules = depth > DEPTH ? [] : (chains.get(name) ?? []);
  for (const rule of rules) {
    left.steps -= 1;
    if (left.steps < 0) return { verdict: "return", isSure: false, at: null, doubt: doubt ?? rule };
    const holds = rule.holds(packet);
    const does = holds === false ? "goes on" : rule.does(packet);
    if (does === "goes on") continue;
    if (does === "unknown") {
      isSure = false;
      continue;
    }
    const inner: Outcome =
      "goesTo" in does
        ? follow(chains, does.goesTo, packet, depth + 1, left)
        : { verdict: does.verdict, isSure: true, at: rule, doubt: null };
    doubt ??= inner.doubt;
    isSure &&= inner.isSure;
    if ("goesTo" in does && does.returns && inner.verdict === "return") continue;
    if (holds === true) return { verdict: inner.verdict, isSure, at: inner.at, doubt };
    isSure = false;
    if (inner.verdict === "drop") doubt ??= inner.at;
  }
  return { verdict: "return", isSure, at: null, doubt };
}

const not = (truth: Truth): Truth => (truth === null ? null : !truth);
const anyOf = (truths: readonly Truth[]): Truth =>
  truths.includes(true) ? true : truths.includes(null) ? null : false;
const allOf = (truths: readonly Truth[]): Truth =>
  truths.includes(false) ? false : truths.includes(null) ? null : true;

const WEB = 443;

/** One condition of a rule, whichever program wrote it. */
function isValue(asks: string, value: unknown, packet: Packet): Truth {
  const { direction, family, from, to } = packet;
  const isOut = direction === "out";
  switch (asks) {
    case "from":
      return isLink(value, from);
    case "to":
      return isLink(value, to);
    case "family":
      return value === (family === 4 ? "ipv4" : "ipv6");
    case "protocol":
      return value === "tcp" || value === 6;
    case "source port":
      return isOut ? isAnyPort(value) : isPort(value);
    case "destination port":
      return isOut ? isPort(value) : isAnyPort(value);
    case "state":
      return value === (isOut ? "new" : "established");
    case "direction":
      return value === (isOut ? "original" : "reply");
    case "status":
      return value === "dnat" ? false : null;
    case "source":
      return isOut ? isMembers(value, packet) : isInternet(value, family);
    case "destination":
      return isOut ? isInternet(value, family) : isMembers(value, packet);
    default:
      return null;
  }
}

function isLink(pattern: unknown, name: string | null): Truth {
  if (name === null || typeof pattern !== "string" || pattern.startsWith("@")) return null;
  return pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

function isPort(value: unknown): Truth {
  if (typeof value === "number") return value === WEB;
  const [first, last] = rangeOf(value) ?? [];
  return typeof first === "number" && typeof last === "number" ? first <= WEB && WEB <= last : null;
}

/** Whether these are ports of ordinary device traffic: a single port only concerns that port. */
function isAnyPort(value: unknown): Truth {
  const [first, last] = rangeOf(value) ?? [];
  return typeof first === "number" && typeof last === "number" && first <= 32_768 && 60_999 <= last;
}

const rangeOf = (value: unknown): unknown[] | null =>
  typeof value === "object" && value !== null && "range" in value && Array.isArray(value.range) ? value.range : null;

/** Whether the members' addresses are among these. */
function isMembers(value: unknown, { members, family }: Packet): Truth {
  const bounds = boundsOf(value);
  if (bounds === null) return null;
  if (bounds.family !== family) return false;
  const own = requireCidr(members);
  if (bounds.first <= own.first && own.last <= bounds.last) return true;
  return own.last < bounds.first || bounds.last < own.first ? false : null;
}

/** Whether these are the internet as a whole: a part of it only concerns that part. */
function isInternet(value: unknown, family: 4 | 6): Truth {
  const bounds = boundsOf(value);
  if (bounds === null) return null;
  return bounds.family === family && bounds.last - bounds.first >= 2n ** (family === 4 ? 31n : 127n);
}

function boundsOf(value: unknown): { family: 4 | 6; first: bigint; last: bigint } | null {
  if (typeof value === "string") return parseCidr(value);
  const range = rangeOf(value);
  if (range !== null) {
    const [first, last] = range.map((each) => (typeof each === "string" ? parseCidr(each) : null));
    return first && last ? { family: first.family, first: first.first, last: last.last } : null;
  }
  if (typeof value !== "object" || value === null || !("prefix" in value)) return null;
  const { addr, len } = (value.prefix ?? {}) as { addr?: unknown; len?: unknown };
  return typeof addr === "string" && typeof len === "number" ? parseCidr(`${addr}/${len}`) : null;
}

// nft --------------------------------------------------------------------------------------------------------------------

const Expression = z.record(z.string(), z.unknown());
type Expression = z.output<typeof Expression>;

const NftRule = z.object({
  chain: z.string(),
  handle: z.int(),
  comment: z.string().optional(),
  expr: z.array(Expression).optional(),
});
export type NftRule = z.output<typeof NftRule>;

const NftChain = z.object({
  family: z.string(),
  table: z.string(),
  name: z.string(),
  hook: z.string().optional(),
  policy: z.string().optional(),
});

export const Listed = z.object({ chain: NftChain.optional(), rule: NftRule.optional() });
export type Listed = z.output<typeof Listed>;

/** From `nft -j list table`. */
export function rulesetOfNft(family: Ruleset["family"], table: string, listed: readonly Listed[]): Ruleset {
  const chains = new Map<string, Rule[]>();
  const bases: Ruleset["bases"] = [];
  for (const { chain } of listed) {
    if (chain === undefined) continue;
    chains.set(chain.name, []);
    if (chain.hook === "forward") bases.push({ name: chain.name, policy: chain.policy === "drop" ? "drop" : "accept" });
  }
  for (const { rule } of listed) if (rule !== undefined) chains.get(rule.chain)?.push(ruleOfNft(rule));
  return { family, table, chains, bases };
}

/** Rules made by iptables over nft, which counts each of them, and whose own conditions nft does not show. */
export function isOfIptables(listed: readonly Listed[]): boolean {
  const rules = listed.flatMap(({ rule }) => (rule && rule.comment !== OUR_COMMENT ? [rule.expr ?? []] : []));
  if (rules.some((expr) => expr.some((each) => "xt" in each))) return true;
  return rules.length > 0 && rules.every((expr) => expr.some((each) => "counter" in each));
}

function ruleOfNft({ handle, comment, expr = [] }: NftRule): Rule {
  return {
    text: null,
    handle,
    isOurs: comment === OUR_COMMENT,
    holds: (packet) => allOf(expr.map((each) => truthOfNft(each, packet))),
    does: (packet) => expr.map((each) => doesOfNft(each, packet)).find((each) => each !== "goes on") ?? "goes on",
  };
}

function truthOfNft(expression: Expression, packet: Packet): Truth {
  if ("match" in expression) {
    const match = Match.safeParse(expression.match);
    return match.success ? truthOfMatch(match.data, packet) : null;
  }
  if ("limit" in expression || "connlimit" in expression || "quota" in expression) return null;
  const xt = expression.xt as { type?: string; name?: string } | null | undefined;
  return xt === undefined || xt?.type === "target" || xt?.name === "comment" ? true : null;
}

const Left = z.object({
  meta: z.object({ key: z.string() }).optional(),
  ct: z.object({ key: z.string() }).optional(),
  // A part of a packet by position, which has no field name.
  payload: z.object({ protocol: z.string().default(""), field: z.string().default("") }).optional(),
});
const Match = z.object({ op: z.string(), left: Left, right: z.unknown() });
type Match = z.output<typeof Match>;

function truthOfMatch({ op, left, right }: Match, packet: Packet): Truth {
  const protocol = left.payload?.protocol ?? "";
  // These match the protocol too.
  if (["udp", "udplite", "icmp", "icmpv6", "igmp", "sctp", "dccp", "ah", "esp"].includes(protocol)) return false;
  if ((protocol === "ip" && packet.family === 6) || (protocol === "ip6" && packet.family === 4)) return false;
  const asks = askedBy(left);
  const values = valuesOf(right);
  if (asks === null || values === null) return null;
  const truth = anyOf(values.map((value) => isValue(asks, value, packet)));
  return op === "==" || op === "in" ? truth : op === "!=" ? not(truth) : null;
}

function askedBy({ meta, ct, payload }: Match["left"]): string | null {
  if (meta) return META[meta.key] ?? null;
  if (ct) return ["state", "direction", "status"].includes(ct.key) ? ct.key : null;
  if (payload === undefined) return null;
  const { protocol, field } = payload;
  if (protocol === "tcp" || protocol === "th")
    return { sport: "source port", dport: "destination port" }[field] ?? null;
  if (protocol !== "ip" && protocol !== "ip6") return null;
  return { saddr: "source", daddr: "destination", protocol: "protocol", nexthdr: "protocol" }[field] ?? null;
}

const META: Record<string, string> = {
  iifname: "from",
  iif: "from",
  oifname: "to",
  oif: "to",
  nfproto: "family",
  l4proto: "protocol",
};

/** Null for a named set, which is not read. */
function valuesOf(right: unknown): unknown[] | null {
  if (typeof right === "string" && right.startsWith("@")) return null;
  if (Array.isArray(right)) return right;
  if (typeof right === "object" && right !== null && "set" in right)
    return Array.isArray(right.set) ? right.set.map(withoutExtras) : null;
  return [right];
}

const withoutExtras = (value: unknown): unknown =>
  typeof value === "object" && value !== null && "elem" in value
    ? (value.elem as { val?: unknown } | null)?.val
    : value;

function doesOfNft(expression: Expression, packet: Packet): Does {
  const [word = ""] = Object.keys(expression);
  const detail = expression[word] as { target?: string; type?: string; name?: string } | null;
  switch (word) {
    case "accept":
    case "drop":
    case "return":
      return { verdict: word };
    case "reject":
      return { verdict: "drop" };
    case "jump":
    case "goto":
      return { goesTo: detail?.target ?? "", returns: word === "jump" };
    case "queue":
      return "unknown";
    case "xt":
      return detail?.type === "target" ? doesTarget(detail.name ?? "") : "goes on";
    case "vmap":
      return doesByMap(expression.vmap, packet);
    default:
      return "goes on";
  }
}

const Vmap = z.object({ key: Left, data: z.unknown() });
const Entry = z.tuple([z.unknown(), Expression]);

function doesByMap(vmap: unknown, packet: Packet): Does {
  const read = Vmap.safeParse(vmap);
  const entries = read.success ? valuesOf(read.data.data) : null;
  if (!read.success || entries === null) return "unknown";
  for (const each of entries) {
    const entry = Entry.safeParse(each);
    if (!entry.success) return "unknown";
    const [value, verdict] = entry.data;
    const truth = truthOfMatch({ op: "==", left: read.data.key, right: value }, packet);
    // A verdict is not another map.
    if (truth === null || "vmap" in verdict) return "unknown";
    if (truth) return doesOfNft(verdict, packet);
  }
  return "goes on";
}

function doesTarget(name: string): Does {
  if (name === "ACCEPT") return { verdict: "accept" };
  if (name === "DROP" || name === "REJECT") return { verdict: "drop" };
  if (name === "RETURN") return { verdict: "return" };
  return ["NFQUEUE", "QUEUE", "SYNPROXY"].includes(name) ? "unknown" : "goes on";
}

// iptables -S ------------------------------------------------------------------------------------------------------------

/** From `iptables -S`: the filter table, which every firewall of that kind uses for forwarding. */
export function rulesetOfIptables(family: "ip" | "ip6", text: string): Ruleset {
  const chains = new Map<string, Rule[]>();
  let policy: "accept" | "drop" = "accept";
  const lines = text.split("\n").map((line) => line.trim());
  for (const line of lines) {
    const [, kind, name = "", rest = ""] = /^-([PN]) (\S+)(?: (\S*))?$/.exec(line) ?? [];
    if (kind === undefined) continue;
    chains.set(name, []);
    if (name === "FORWARD" && rest === "DROP") policy = "drop";
  }
  for (const line of lines) {
    const [, chain, rest = ""] = /^-A (\S+)(?: (.*))?$/.exec(line) ?? [];
    if (chain !== undefined) chains.get(chain)?.push(ruleOfIptables(line, wordsOf(rest), chains));
  }
  return { family, table: "filter", chains, bases: chains.has("FORWARD") ? [{ name: "FORWARD", policy }] : [] };
}

/** Quoted text is one word. */
const wordsOf = (text: string): string[] =>
  [...text.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "");

function ruleOfIptables(text: string, words: readonly string[], chains: ReadonlyMap<string, unknown>): Rule {
  const asked: ((packet: Packet) => Truth)[] = [];
  let does: Does = "goes on";
  let isOurs = false;
  for (let at = 0; at < words.length; ) {
    const isNegated = words[at] === "!";
    if (isNegated) at += 1;
    const word = words[at] ?? "";
    const value = words[at + 1] ?? "";
    at += 2;
    if (word === "-j" || word === "-g") {
      does = chains.has(value) ? { goesTo: value, returns: word === "-j" } : doesTarget(value);
      // What follows belongs to the target.
      break;
    }
    if (word === "--comment") isOurs ||= value === OUR_COMMENT;
    if (word === "--comment" || (word === "-m" && MODULES_THAT_ASK_BY_OPTION.has(value))) continue;
    const option = OPTIONS[word];
    const values = option?.list ? value.split(",") : [value];
    asked.push((packet) => {
      if (option === undefined) return null;
      const truth = anyOf(values.map((each) => isValue(option.asks, option.read?.(each) ?? each, packet)));
      return isNegated ? not(truth) : truth;
    });
  }
  return { text, handle: null, isOurs, holds: (packet) => allOf(asked.map((ask) => ask(packet))), does: () => does };
}

const MODULES_THAT_ASK_BY_OPTION = new Set([
  "comment",
  "conntrack",
  "state",
  "tcp",
  "udp",
  "multiport",
  "icmp",
  "icmp6",
]);

const readLink = (name: string) => (name.endsWith("+") ? `${name.slice(0, -1)}*` : name);
const readPort = (port: string): unknown =>
  port.includes(":")
    ? { range: port.split(":").map((each, at) => (each === "" ? at * 65_535 : Number(each))) }
    : Number(port);

const OPTIONS: Record<string, { asks: string; list?: boolean; read?: (value: string) => unknown }> = {
  "-i": { asks: "from", read: readLink },
  "-o": { asks: "to", read: readLink },
  "-p": { asks: "protocol" },
  "-s": { asks: "source" },
  "-d": { asks: "destination" },
  "--ctstate": { asks: "state", list: true, read: (value) => value.toLowerCase() },
  "--state": { asks: "state", list: true, read: (value) => value.toLowerCase() },
  "--ctdir": { asks: "direction", read: (value) => value.toLowerCase() },
  "--sport": { asks: "source port", read: readPort },
  "--dport": { asks: "destination port", read: readPort },
  "--sports": { asks: "source port", list: true, read: readPort },
  "--dports": { asks: "destination port", list: true, read: readPort },
};
