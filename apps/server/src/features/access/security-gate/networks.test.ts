import { expect, test } from "vitest";
import { isLocal } from "./networks.ts";

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
