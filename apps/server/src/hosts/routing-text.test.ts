import { expect, test } from "vitest";
import type { DesiredRouting } from "./host.ts";
import { routingJump, routingText } from "./routing-text.ts";

const ROUTING: DesiredRouting = {
  interfaces: ["wg0", "awg1"],
  rules: [
    { sources: ["10.8.0.2", "fd00::2"], networks: ["1.1.1.1/32"], onlyDns: true, exit: "direct" },
    { sources: ["10.8.0.2"], networks: ["5.0.0.0/8", "2001:db8::/32"], exit: "closed" },
    { sources: ["10.8.0.2", "fd00::2"], networks: null, exit: "direct" },
  ],
};

test("the first rule that fits a new connection decides, an old one keeps its exit, and without a rule nothing passes", () => {
  expect(routingText(ROUTING).replace(/^ {2}/gm, "")).toBe(`set from_1_v4 {
  type ipv4_addr
  elements = { 10.8.0.2 }
}
set to_1_v4 {
  type ipv4_addr
  flags interval
  elements = { 1.1.1.1/32 }
}
set from_1_v6 {
  type ipv6_addr
  elements = { fd00::2 }
}
set from_2_v4 {
  type ipv4_addr
  elements = { 10.8.0.2 }
}
set to_2_v4 {
  type ipv4_addr
  flags interval
  elements = { 5.0.0.0/8 }
}
set from_3_v4 {
  type ipv4_addr
  elements = { 10.8.0.2 }
}
set from_3_v6 {
  type ipv6_addr
  elements = { fd00::2 }
}
chain leave_direct {
  ct mark set ct mark & 0xff00ffff | 0x00010000
}
chain routing {
  meta l4proto { tcp, udp } th dport 853 drop
  ct mark & 0x00ff0000 0x00010000 return
  ip saddr @from_1_v4 ip daddr @to_1_v4 meta l4proto { tcp, udp } th dport 53 goto leave_direct
  ip saddr @from_1_v4 meta l4proto { tcp, udp } th dport 53 drop
  ip6 saddr @from_1_v6 meta l4proto { tcp, udp } th dport 53 drop
  ip saddr @from_2_v4 ip daddr @to_2_v4 drop
  ip saddr @from_3_v4 goto leave_direct
  ip6 saddr @from_3_v6 goto leave_direct
  drop
}
chain names {
  type nat hook prerouting priority dstnat; policy accept;
  iifname { "wg0", "awg1" } ip saddr @from_1_v4 ip daddr != @to_1_v4 meta l4proto { tcp, udp } th dport 53 dnat ip to 1.1.1.1
}
`);
  expect(routingJump(ROUTING)).toEqual(['    fib daddr type unicast iifname { "wg0", "awg1" } jump routing']);
});

test("a device without a resolver has its names decided like all else", () => {
  const text = routingText({ ...ROUTING, rules: [{ ...ROUTING.rules[0]!, networks: [] }, ...ROUTING.rules.slice(1)] });
  expect(text).not.toMatch(/dport 53|chain names/);
});

test("without an interface whose traffic is routed, the table is as it was", () => {
  for (const routing of [undefined, { interfaces: [], rules: ROUTING.rules }])
    expect([routingText(routing), routingJump(routing)]).toEqual(["", []]);
});

test("nothing but addresses and networks gets into the text", () => {
  const rules = (sources: string[], networks: string[]) => ({
    interfaces: ["wg0"],
    rules: [{ sources, networks, exit: "direct" as const }],
  });
  expect(() => routingText(rules(["10.0.0.1 }; drop"], ["1.1.1.1/32"]))).toThrow(RangeError);
  expect(() => routingText(rules(["10.0.0.1"], ["flush ruleset"]))).toThrow(RangeError);
});
