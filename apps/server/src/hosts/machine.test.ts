import { expect, test } from "vitest";
import { countersOf } from "./machine.ts";

const TABLE = `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo: 1000 10 0 0 0 0 0 0 1000 10 0 0 0 0 0 0
  eth0: 123456789012 500 0 0 0 0 0 0 9876543210 400 0 0 0 0 0 0
   wg0: 77 1 0 0 0 0 0 0 88 1 0 0 0 0 0 0
  eth1:5 1 0 0 0 0 0 0 6 1 0 0 0 0 0 0
`;

test.each([
  [["eth0"], { in: 123456789012, out: 9876543210 }],
  [["eth0", "eth1"], { in: 123456789017, out: 9876543216 }],
  [["eth9"], { in: 0, out: 0 }],
  [[], { in: 0, out: 0 }],
])("traffic is counted by the devices that lead to the internet: %j", (devices, counted) => {
  expect(countersOf(TABLE, new Set(devices))).toEqual(counted);
});
