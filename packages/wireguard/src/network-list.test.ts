import { expect, test } from "vitest";
import { minimalCidrs } from "./addresses.ts";
import { readNetworkList } from "./network-list.ts";

const items = (text: string) => readNetworkList(text).items.map((item) => item.text);
const TELEGRAM = ["91.108.4.0/22", "149.154.160.0/20"];

test.each<[string, string, string[]]>([
  ["comments", "# Telegram\n91.108.4.0/22 # DC\n; old\n149.154.160.0/20 // too\n#104.16.0.0/12", TELEGRAM],
  ["comments behind semicolons and slashes", "; old, 8.8.8.8\n91.108.4.0/22 ; DC\n149.154.160.0/20//two", TELEGRAM],
  ["blanks and tabs, CRLF, a byte order mark", "\uFEFF91.108.4.0/22\t149.154.160.0/20  \r\n\r\n", TELEGRAM],
  ["quotes and semicolons", `"91.108.4.0/22";'149.154.160.0/20'`, TELEGRAM],
  ["a config's line", "AllowedIPs = 91.108.4.0/22, 149.154.160.0/20", TELEGRAM],
  ["ipset save", "create t hash:net family inet\nadd t 91.108.4.0/22\nadd t 149.154.160.0/20 timeout 0", TELEGRAM],
  ["ipset commands", "ipset -! add t 91.108.4.0/22\nipset add t 149.154.160.0/20", TELEGRAM],
  ["an nft set in one line", "elements = { 91.108.4.0/22, 149.154.160.0/20 }", TELEGRAM],
  [
    "an nft table",
    "table inet fw {\n set t {\n  type ipv4_addr\n  flags interval\n  auto-merge\n  elements = { 91.108.4.0/22,\n    149.154.160.0/20 }\n }\n}",
    TELEGRAM,
  ],
  [
    "an nft set as one line, and a define",
    "set t { type ipv4_addr; flags interval; elements = { 91.108.4.0/22 } }\ndefine DC = { 149.154.160.0/20 }",
    TELEGRAM,
  ],
  ["nft commands", "add element inet fw t { 91.108.4.0/22, 149.154.160.0/20 }", TELEGRAM],
  [
    "RouterOS",
    `/ip firewall address-list\nadd address=91.108.4.0/22 list=t\nadd list=t comment="DC 5" address=149.154.160.0/20`,
    TELEGRAM,
  ],
  ["RouterOS in one line each", "/ip firewall address-list add list=t address=91.108.4.0/22", ["91.108.4.0/22"]],
  [
    "routes of Windows",
    "route ADD 91.108.4.0 MASK 255.255.252.0 0.0.0.0\nroute -p add 149.154.160.0 mask 255.255.240.0 10.0.0.1 metric 1",
    TELEGRAM,
  ],
  [
    "routes of Keenetic and OpenVPN",
    `ip route 91.108.4.0 255.255.252.0 Wireguard0 auto\npush "route 149.154.160.0 255.255.240.0"`,
    TELEGRAM,
  ],
  [
    "routes of Linux",
    "ip route add 91.108.4.0/22 via 10.0.0.1 dev wg0\nip -6 route add 2001:db8::/32 dev wg0",
    ["91.108.4.0/22", "2001:db8::/32"],
  ],
  ["Clash", "payload:\n  - '91.108.4.0/22'\n  - IP-CIDR,149.154.160.0/20,no-resolve", TELEGRAM],
  ["ranges and masks", "91.108.4.0-91.108.7.255\n149.154.160.0/255.255.240.0", TELEGRAM],
  [
    "a mask in a column of its own, a range with blanks",
    "149.154.160.0 255.255.240.0\n10.0.0.0 - 10.0.0.1",
    ["149.154.160.0/20", "10.0.0.0/31"],
  ],
  ["a range by its last number", "10.0.0.4-7", ["10.0.0.4/30"]],
  [
    "upper case, host bits, brackets",
    "2001:DB8::1/32 [2001:db8::5] 10.1.2.3/8",
    ["2001:DB8::1/32", "2001:db8::5", "10.1.2.3/8"],
  ],
  ["JSON: texts", `["91.108.4.0/22", "149.154.160.0-149.154.175.255"]`, TELEGRAM],
  [
    "JSON as AWS and Google publish it",
    `{"syncToken":"17","prefixes":[{"ip_prefix":"91.108.4.0/22","region":"eu-west-1","service":"AMAZON"},{"ipv4Prefix":"149.154.160.0/20"}],"ipv6_prefixes":[{"ipv6_prefix":"2001:db8::/32"}]}`,
    [...TELEGRAM, "2001:db8::/32"],
  ],
])("%s", (_, text, networks) => {
  expect(readNetworkList(text).unread).toEqual([]);
  expect(items(text)).toEqual(networks);
});

test.each<[string, ReturnType<typeof readNetworkList>["unread"]]>([
  [
    "youtube.com\n1.1.1.1\n*.googlevideo.com, AS13335\nпочта.рф",
    [
      { text: "youtube.com", line: 1, kind: "name" },
      { text: "*.googlevideo.com", line: 3, kind: "name" },
      { text: "AS13335", line: 3, kind: "as" },
      { text: "почта.рф", line: 4, kind: "name" },
    ],
  ],
  [
    "1.1.1.1, no address at all\n10.0.0.9-10.0.0.1",
    [
      { text: "no address at all", line: 1, kind: "other" },
      { text: "10.0.0.9-10.0.0.1", line: 2, kind: "other" },
    ],
  ],
  ["1.1.1.1 300.1.1.1/8", [{ text: "300.1.1.1/8", line: 1, kind: "other" }]],
  ["DOMAIN-SUFFIX,youtube.com", [{ text: "youtube.com", line: 1, kind: "name" }]],
  ["add t youtube.com", [{ text: "youtube.com", line: 1, kind: "name" }]],
  ["set youtube.com", [{ text: "set youtube.com", line: 1, kind: "other" }]],
  ["type 1.1.1.1", [{ text: "type", line: 1, kind: "other" }]],
  ["route add default via 10.0.0.1/33", [{ text: "route add default via 10.0.0.1/33", line: 1, kind: "other" }]],
  ["10.0.0.0/255.0.255.0", [{ text: "10.0.0.0/255.0.255.0", line: 1, kind: "other" }]],
  [`[{"hostname":"example.com","ip":"192.0.2.10"}]`, [{ text: "example.com", line: null, kind: "name" }]],
  ["https://example.com", [{ text: "https://example.com", line: 1, kind: "other" }]],
  [`["1.1.1.1", "x"]`, [{ text: "x", line: null, kind: "other" }]],
  [
    `{"domains":["*.github.com"],"ssh_keys":["ssh-ed25519 AAAA"]}`,
    [{ text: "*.github.com", line: null, kind: "name" }],
  ],
])("text that is not an address is reported with its line: %j", (text, unread) => {
  expect(readNetworkList(text).unread).toEqual(unread);
});

test("nothing is lost: every word of a list is an address or reported", () => {
  const words = ["1.1.1.1", "10.0.0.0/8", "x", "2001:db8::/32", "example.com", "1.2.3", "::1", "::ffff:1.2.3.4"];
  for (const separator of [" ", "\n", ",", "\t", "\r\n", " | "]) {
    const { items: some, unread } = readNetworkList(words.join(separator));
    expect([...some, ...unread].map(({ text }) => text).sort()).toEqual([...words].sort());
  }
});

test("a range is exactly the addresses between its ends", () => {
  expect(minimalCidrs(items("10.0.0.3-10.0.1.2"))).toEqual(items("10.0.0.3-10.0.1.2"));
  expect(items("10.0.0.3-10.0.0.6")).toEqual(["10.0.0.3/32", "10.0.0.4/31", "10.0.0.6/32"]);
  expect(items("2001:db8::-2001:db8::ffff")).toEqual(["2001:db8::/112"]);
});
