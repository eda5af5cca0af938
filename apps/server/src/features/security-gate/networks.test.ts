import { expect, test } from "vitest";
import { isLocal, networksOf, plainAddress } from "./networks.ts";

test.each([
  ["127.0.0.1", true],
  ["10.8.0.7", true],
  ["172.16.0.1", true],
  ["172.32.0.1", false],
  ["192.168.1.1", true],
  ["100.64.0.1", true],
  ["169.254.169.254", true],
  ["::1", true],
  ["fd00::1", true],
  ["fe80::1", true],
  ["8.8.8.8", false],
  ["2a02:6b8::1", false],
])("%s is local: %s", (address, local) => {
  expect(isLocal(address)).toBe(local);
});

test.each([
  ["::ffff:77.88.8.8", "77.88.8.8"],
  ["fe80::1%eth0", "fe80::1"],
  ["2A02:06B8::1", "2a02:6b8::1"],
  ["77.88.8.8", "77.88.8.8"],
  ["unknown", null],
  ["", null],
])("%s is plainly %s", (address, plain) => {
  expect(plainAddress(address)).toBe(plain);
});

test("networks hold addresses of their own family only", () => {
  const isIn = networksOf(["203.0.113.0/24", "2001:db8::/32", "198.51.100.7"]);
  expect(["203.0.113.9", "2001:db8::5", "198.51.100.7"].map(isIn)).toEqual([true, true, true]);
  expect(["203.0.114.9", "2001:db9::5", "198.51.100.8", "::"].map(isIn)).toEqual([false, false, false, false]);
});
