import { expect, test } from "vitest";
import { addressGroup } from "./address-group.ts";

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:2::/64"],
  ["::1", "::/64"],
  [null, "unreadable"],
])("attempts from %s are counted for %s", (address, group) => {
  expect(addressGroup(address)).toBe(group);
});
