import { expect, test } from "vitest";
import { accessTargetForPeople, isAlwaysClosed, parseAccessTarget } from "./access-target.ts";

test.each([
  ["203.0.113.7", "203.0.113.7"],
  [" 203.0.113.7/32 ", "203.0.113.7"],
  ["203.0.113.7/24", "203.0.113.0/24"],
  ["0.0.0.0/0", "0.0.0.0/0"],
  ["2001:DB8:0::7", "2001:db8::7"],
  ["2001:db8::7/32", "2001:db8::/32"],
])("'%s' is the network %s", (typed, text) => {
  expect(parseAccessTarget(typed)).toEqual({ kind: "network", text });
});

test.each([
  ["example.org", "example.org"],
  ["WWW.Example.ORG.", "www.example.org"],
  ["пример.рф", "xn--e1afmkfd.xn--p1ai"],
  ["a-b.c1.example", "a-b.c1.example"],
])("'%s' is the name %s", (typed, text) => {
  expect(parseAccessTarget(typed)).toEqual({ kind: "name", text });
});

test.each([
  "",
  "localhost",
  "*.example.org",
  "https://example.org",
  "example.org/path",
  "example.org:443",
  "exa mple.org",
  "ex_ample.org",
  "-a.org",
  "1.2",
  "999.1.1.1",
  "203.0.113.7/33",
  "203.0.113.7/",
  "fe80::1%eth0",
  "203.0.113.0-203.0.113.9",
  "example.org; drop",
  '"example.org"',
  "example.org\nflush ruleset",
  "{ 1.1.1.1 }",
  "１.２",
  "a.0x7f",
  `${"a".repeat(64)}.org`,
  `${"a.".repeat(130)}org`,
])("'%s' is neither an address, a network nor a name", (typed) => {
  expect(parseAccessTarget(typed)).toBeNull();
});

test("a name is shown in Unicode", () => {
  expect(accessTargetForPeople({ kind: "name", text: "xn--e1afmkfd.xn--p1ai" })).toBe("пример.рф");
  expect(accessTargetForPeople({ kind: "network", text: "203.0.113.0/24" })).toBe("203.0.113.0/24");
});

test.each([
  ["10.1.2.0/24", true],
  ["127.0.0.1", true],
  ["169.254.169.254", true],
  ["fd00::/8", true],
  ["::ffff:1.1.1.1", true],
  ["0.0.0.0/0", false],
  ["203.0.113.0/24", false],
  ["8.0.0.0/6", false],
])("%s is always closed to everybody: %s", (network, closed) => {
  expect(isAlwaysClosed(network)).toBe(closed);
});
