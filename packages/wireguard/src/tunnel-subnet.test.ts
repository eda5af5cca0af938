import { expect, test } from "vitest";
import { readTunnelSubnet } from "./tunnel-subnet.ts";

test.each([
  ["10.8.3.0/24", "10.8.3.0/24"],
  ["10.8.3.7/24", "10.8.3.0/24"],
  ["172.16.0.0/16", "172.16.0.0/16"],
  ["192.168.5.0/29", "192.168.5.0/29"],
  ["100.64.0.0/16", "100.64.0.0/16"],
  ["10.8.0.0/15", null],
  ["10.8.0.0/30", null],
  ["10.8.0.0", null],
  ["8.8.8.0/24", null],
  ["172.32.0.0/16", null],
  ["fd00::/64", null],
  ["10.8.3.0/24; reboot", null],
  ["", null],
])("a tunnel's subnet is a private IPv4 network from /16 to /29: %j", (text, canonical) => {
  expect(readTunnelSubnet(text)).toBe(canonical);
});
