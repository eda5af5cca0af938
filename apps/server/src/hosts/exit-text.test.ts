import { expect, test } from "vitest";
import { exitChains, exitMark, exitsKept, forwardedByLinks, fromLinks, sentByLinks } from "./exit-text.ts";
import type { DesiredRouting, ExitLink } from "./host.ts";
import { routingText } from "./routing-text.ts";

const LINKS: ExitLink[] = [
  { number: 2, name: "exit2", mtu: null, addresses: ["198.18.0.10", "fd00:2::2"] },
  { number: 254, name: "exit254", mtu: 1_320, addresses: ["198.18.3.250"] },
];

test("a connection begins with its exit's mark, and each of its packets gets it", () => {
  expect(exitChains(LINKS.slice(0, 1))).toEqual([
    "chain leave_2 {",
    "  ct mark set ct mark & 0xff00ffff | 0x00020000",
    "  meta mark set meta mark & 0xff00ffff | 0x00020000",
    "}",
  ]);
  expect(exitsKept(LINKS)).toEqual([
    "ct mark & 0x00ff0000 0x00020000 goto leave_2",
    "ct mark & 0x00ff0000 0x00fe0000 goto leave_254",
  ]);
});

test("only answers to what left by the same link come in", () => {
  expect(fromLinks(LINKS)).toEqual([
    'iifname "exit2" ct mark & 0x00ff0000 0x00020000 ct state established,related meta mark set meta mark & 0xdf00ffff | 0x20020000 accept',
    'iifname "exit254" ct mark & 0x00ff0000 0x00fe0000 ct state established,related meta mark set meta mark & 0xdf00ffff | 0x20fe0000 accept',
    'iifname "exit2" ct mark & 0x00ff0000 0x00000000 ct direction reply ct state established,related meta mark set meta mark & 0xdfffffff | 0x20000000 accept',
    'iifname "exit254" ct mark & 0x00ff0000 0x00000000 ct direction reply ct state established,related meta mark set meta mark & 0xdfffffff | 0x20000000 accept',
    "drop",
  ]);
});

test("what the machine sends with a link's address leaves by that link or not at all", () => {
  expect(sentByLinks(LINKS.slice(0, 1))).toEqual([
    'ip saddr 198.18.0.10 oifname != { "exit2", "lo" } drop',
    'ip6 saddr fd00:2::2 oifname != { "exit2", "lo" } drop',
  ]);
});

test("what is marked for a link leaves by nothing else, and segments fit the link", () => {
  expect(forwardedByLinks('{ "wg0" }', LINKS.slice(1))).toEqual([
    'iifname { "wg0" } ct direction original ct mark & 0x00ff0000 0x00fe0000 oifname != "exit254" drop',
    'oifname "exit254" meta mark set meta mark & 0xff00ffff | 0x00000000',
    'iifname "exit254" meta mark set meta mark & 0xdf00ffff | 0x00000000',
    'iifname "exit254" meta nfproto ipv4 tcp flags syn / syn,rst tcp option maxseg size > 1280 tcp option maxseg size set 1280',
    'iifname "exit254" meta nfproto ipv6 tcp flags syn / syn,rst tcp option maxseg size > 1260 tcp option maxseg size set 1260',
  ]);
});

test("a rule for a link that the machine does not have lets nothing out", () => {
  const routing = (links: ExitLink[]): DesiredRouting => ({
    interfaces: ["wg0"],
    links,
    rules: [{ sources: ["10.8.0.2"], networks: null, exit: 2 }],
  });
  expect(routingText(routing(LINKS))).toContain("ip saddr @from_1_v4 goto leave_2\n");
  expect(routingText(routing([]))).toContain("ip saddr @from_1_v4 drop\n");
});

test.each([0, 1, 255, 2.5, Number.NaN])("%s is no exit's number: its mark means something else", (number) => {
  expect(() => exitMark(number)).toThrow(RangeError);
});

test("nothing else gets into the text by a link's name", () => {
  expect(() => fromLinks([{ number: 2, name: '" accept', mtu: null, addresses: [] }])).toThrow(RangeError);
  expect(() => sentByLinks([{ number: 2, name: "exit2", mtu: null, addresses: ["1.1.1.1 accept"] }])).toThrow(
    RangeError,
  );
});
