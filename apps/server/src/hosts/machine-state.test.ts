import { expect, test } from "vitest";
import { countersOf, cpuTimesOf, memoryOf } from "./machine-state.ts";

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
])("traffic is counted on the devices that lead to the internet: %j", (devices, counted) => {
  expect(countersOf(TABLE, new Set(devices))).toEqual(counted);
});

test("CPU work is what the cores did not idle, without the line of their sum", () => {
  const stat = "cpu  30 0 30 300 9 3 0 0 0 0\ncpu0 10 0 10 100 4 1 0 0 0 0\ncpu1 20 0 20 200 5 2 0 0 0 0\nintr 5 0\n";
  expect(cpuTimesOf(stat)).toEqual({ idle: 300, total: 363, cores: 2 });
});

test("free memory is what programs can still allocate, including caches", () => {
  const meminfo = "MemTotal:        8000000 kB\nMemFree:          100000 kB\nMemAvailable:    5000000 kB\n";
  expect(memoryOf(meminfo)).toEqual({ total: 8_192_000_000, free: 5_120_000_000 });
});
