import { expect, test } from "vitest";
import { changeBetween, isLargeChange } from "./network-change.ts";

test.each([
  [["192.0.2.0/24"], ["192.0.2.0/25"], [], ["192.0.2.128/25"]],
  [["192.0.2.0/25"], ["192.0.2.0/25", "192.0.2.128/25"], ["192.0.2.128/25"], []],
  [["192.0.2.1", "2001:db8::/32"], ["192.0.2.2"], ["192.0.2.2/32"], ["192.0.2.1/32", "2001:db8::/32"]],
  [["192.0.2.0/24"], ["192.0.2.0/25", "192.0.2.128/25"], [], []],
])("from %j to %j comes %j and goes %j", (before, after, gained, lost) => {
  expect(changeBetween(before, after)).toEqual({ gained, lost });
});

test.each([
  ["half goes", ["192.0.2.0/24"], ["192.0.2.0/25"], false],
  ["more than half goes", ["192.0.2.0/24"], ["192.0.2.0/26"], true],
  ["half comes", ["192.0.2.0/25"], ["192.0.2.0/25", "192.0.2.128/26"], false],
  ["more than half comes", ["192.0.2.0/25"], ["192.0.2.0/24"], true],
  ["half goes and half comes", ["192.0.2.0/24"], ["192.0.2.0/25", "198.51.100.0/25"], false],
  [
    "one of a hundred networks goes, with most of the addresses",
    ["10.0.0.0/8", "192.0.2.0/24"],
    ["192.0.2.0/24"],
    true,
  ],
  ["a little of IPv4 goes, and all of IPv6", ["192.0.2.0/24", "2001:db8::/48"], ["192.0.2.0/25"], true],
  ["the first IPv6 comes", ["192.0.2.0/24"], ["192.0.2.0/24", "2001:db8::/48"], true],
  ["nothing changes", ["192.0.2.0/24", "2001:db8::/32"], ["192.0.2.0/24", "2001:db8::/32"], false],
])("%s: large is %4$s", (_, before, after, isLarge) => {
  expect(isLargeChange(before, changeBetween(before, after))).toBe(isLarge);
});
