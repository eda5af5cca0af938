import { expect, test } from "vitest";
import { networksOf, plainAddress } from "./addresses.ts";

test.each([
  ["::ffff:77.88.8.8", "77.88.8.8"],
  ["fe80::1%eth0", "fe80::1"],
  ["2A02:06B8::1", "2a02:6b8::1"],
  ["77.88.8.8", "77.88.8.8"],
  ["unknown", null],
  ["", null],
])("%s in plain form is %s", (address, plain) => {
  expect(plainAddress(address)).toBe(plain);
});

test("networks contain only addresses of their own family", () => {
  const isIn = networksOf(["203.0.113.0/24", "2001:db8::/32", "198.51.100.7", "::ffff:192.0.2.7", "fe80::1%eth0"]);
  expect(["203.0.113.9", "2001:db8::5", "198.51.100.7", "192.0.2.7", "fe80::1"].every(isIn)).toBe(true);
  expect(["203.0.114.9", "2001:db9::5", "198.51.100.8", "::"].map(isIn)).toEqual([false, false, false, false]);
});
