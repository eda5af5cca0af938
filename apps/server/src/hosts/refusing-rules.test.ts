import { describe, expect, test } from "vitest";
import { type Listed, type Packet, refusalOf, rulesetOfIptables, rulesetOfNft } from "./refusing-rules.ts";

const out: Packet = { direction: "out", family: 4, from: "wg0", to: "eth0", members: "10.8.0.0/24" };
const back: Packet = { ...out, direction: "back", from: "eth0", to: "wg0" };

const ofIptables = (text: string, packet = out) => {
  const ruleset = rulesetOfIptables("ip", text);
  const [base] = ruleset.bases;
  const refusal = base === undefined ? null : refusalOf(ruleset, base, packet);
  return refusal && { rule: refusal.rule?.text ?? null, isSure: refusal.isSure };
};
const BASE = "-P INPUT ACCEPT\n-P FORWARD ACCEPT\n-P OUTPUT ACCEPT\n";
const CLOSED = "-P INPUT ACCEPT\n-P FORWARD DROP\n-P OUTPUT ACCEPT\n";
const sure = (rule: string | null) => ({ rule, isSure: true });
const maybe = (rule: string | null) => ({ rule, isSure: false });

describe("what iptables rules do with a page that a member opens", () => {
  const reject = "-A FORWARD -j REJECT --reject-with icmp-host-prohibited";
  const answers = "-A FORWARD -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT\n";
  test.each<[string, string, ReturnType<typeof ofIptables>, ReturnType<typeof ofIptables>]>([
    ["nothing is refused where there is no rule", BASE, null, null],
    ["Oracle's last rule refuses all", BASE + reject, sure(reject), sure(reject)],
    ["a policy refuses all", CLOSED, sure(null), sure(null)],
    ["a tunnel is let in, and its answers are not", `${CLOSED}-A FORWARD -i wg0 -j ACCEPT`, null, sure(null)],
    ["answers pass, and what asks for them does not", CLOSED + answers, sure(null), null],
    ["both ways are open", `${CLOSED + answers}-A FORWARD -i wg+ -j ACCEPT`, null, null],
    ["what is open in another chain does not count", `${CLOSED}-A INPUT -i wg0 -j ACCEPT`, sure(null), sure(null)],
    ["another tunnel's rule does not count", `${CLOSED}-A FORWARD -i wg1 -j ACCEPT`, sure(null), sure(null)],
    [
      "by members' addresses",
      `${CLOSED}-A FORWARD -s 10.8.0.0/16 -j ACCEPT\n-A FORWARD -d 10.8.0.0/16 -j ACCEPT`,
      null,
      null,
    ],
    ["another network's", `${CLOSED}-A FORWARD -s 10.9.0.0/16 -j ACCEPT`, sure(null), sure(null)],
    ["all but the tunnel", `${BASE}-A FORWARD ! -i wg0 -j DROP`, null, sure("-A FORWARD ! -i wg0 -j DROP")],
    ["only one address is closed, which affects nobody", `${BASE}-A FORWARD -d 192.0.2.7/32 -j DROP`, null, null],
    ["only mail is closed", `${BASE}-A FORWARD -p tcp -m tcp --dport 25 -j DROP`, null, null],
    ["only the web is open", `${CLOSED}-A FORWARD -p tcp -m multiport --dports 80,443 -j ACCEPT`, null, sure(null)],
    [
      "what cannot be read leaves a doubt",
      `${BASE}-A FORWARD -m geoip --src-cc XX -j DROP`,
      maybe("-A FORWARD -m geoip --src-cc XX -j DROP"),
      maybe("-A FORWARD -m geoip --src-cc XX -j DROP"),
    ],
    [
      "a chain that returns continues",
      `${BASE}-N USER\n-A FORWARD -j USER\n${reject}\n-A USER -j RETURN`,
      sure(reject),
      sure(reject),
    ],
    [
      "a chain of its own that opens",
      `${CLOSED}-N USER\n-A FORWARD -j USER\n-A USER -i wg0 -j ACCEPT\n-A USER -o wg0 -j ACCEPT`,
      null,
      null,
    ],
    ["a comment is not a condition", `${CLOSED}-A FORWARD -m comment --comment "let it out" -j ACCEPT`, null, null],
    ["a log decides nothing", `${BASE}-A FORWARD -j LOG --log-prefix "[seen] "\n${reject}`, sure(reject), sure(reject)],
  ])("%s", (_, text, outward, backward) => {
    expect([ofIptables(text), ofIptables(text, back)]).toEqual([outward, backward]);
  });
});

const match = (left: object, right: unknown, op = "==") => ({ match: { op, left, right } });
const meta = (key: string, right: unknown, op?: string) => match({ meta: { key } }, right, op);
const ofNft = (exprs: Record<string, unknown>[][], policy: string, packet = out) => {
  const chain = { family: "inet", table: "t", name: "f", hook: "forward", policy };
  const rules = exprs.map((expr, at) => ({ rule: { chain: "f", handle: at + 1, expr } }));
  const others: Listed[] = [
    { chain: { family: "inet", table: "t", name: "sub" } },
    { rule: { chain: "sub", handle: 90, expr: [{ drop: null }] } },
  ];
  const ruleset = rulesetOfNft("inet", "t", [{ chain }, ...rules, ...others]);
  const refusal = refusalOf(ruleset, ruleset.bases[0] as never, packet);
  return refusal && { rule: refusal.rule?.handle ?? null, isSure: refusal.isSure };
};
const [accept, drop] = [{ accept: null }, { drop: null }];

describe("what nft rules do with it", () => {
  test.each<[string, Record<string, unknown>[][], string, { rule: number | null; isSure: boolean } | null]>([
    ["a policy", [], "drop", { rule: null, isSure: true }],
    ["a reject", [[{ reject: { type: "icmpx", expr: "admin-prohibited" } }]], "accept", { rule: 1, isSure: true }],
    [
      "iptables' own reject",
      [[{ counter: {} }, { xt: { type: "target", name: "REJECT" } }]],
      "accept",
      { rule: 1, isSure: true },
    ],
    ["by name", [[meta("iifname", "wg*"), accept]], "drop", null],
    ["by a set of names", [[meta("iifname", { set: ["eth1", "wg0"] }), accept]], "drop", null],
    [
      "by a named set, which is not read",
      [[meta("iifname", "@tunnels"), accept]],
      "drop",
      { rule: null, isSure: false },
    ],
    ["of IPv6 only", [[meta("nfproto", "ipv6"), drop]], "accept", null],
    [
      "of UDP only, whatever it says",
      [[match({ payload: { protocol: "udp", field: "dport" } }, 53, "!="), drop]],
      "accept",
      null,
    ],
    [
      "of the other family's addresses",
      [[match({ payload: { protocol: "ip6", field: "saddr" } }, "::1", "!="), drop]],
      "accept",
      null,
    ],
    [
      "of answers only",
      [[match({ ct: { key: "state" } }, { set: ["established", "related"] }), accept]],
      "drop",
      { rule: null, isSure: true },
    ],
    [
      "invalid ones, which are nobody's page",
      [[match({ ct: { key: "state" } }, "invalid", "in"), drop]],
      "accept",
      null,
    ],
    [
      "by a map",
      [
        [
          {
            vmap: {
              key: { meta: { key: "iifname" } },
              data: {
                set: [
                  ["eth0", accept],
                  ["wg*", { goto: { target: "sub" } }],
                ],
              },
            },
          },
        ],
      ],
      "accept",
      { rule: 90, isSure: true },
    ],
    ["by a mark, which nobody knows", [[meta("mark", 5), accept]], "drop", { rule: null, isSure: false }],
    [
      "hidden conditions",
      [[{ xt: { type: "match", name: "conntrack" } }, accept]],
      "drop",
      { rule: null, isSure: false },
    ],
    [
      "all but private ones",
      [
        [
          match({ payload: { protocol: "ip", field: "daddr" } }, { prefix: { addr: "10.0.0.0", len: 8 } }, "!="),
          accept,
        ],
      ],
      "drop",
      null,
    ],
  ])("%s", (_, exprs, policy, expected) => {
    expect(ofNft(exprs, policy)).toEqual(expected);
  });
});

test("chains that jump to each other a thousand times each end in a doubt, quickly", () => {
  const names = Array.from({ length: 17 }, (_, n) => `c${n}`);
  const listed: Listed[] = [
    ...names.map((name) => ({
      chain: { family: "inet", table: "t", name, ...(name === "c0" && { hook: "forward" }) },
    })),
    ...names.slice(1).flatMap((target, n) =>
      Array.from({ length: 1_000 }, (_, handle) => ({
        rule: { chain: `c${n}`, handle, expr: [{ jump: { target } }] },
      })),
    ),
  ];
  const ruleset = rulesetOfNft("inet", "t", listed);
  expect(refusalOf(ruleset, ruleset.bases[0]!, out)).toMatchObject({ isSure: false });
});
