import { expect, test } from "vitest";
import { makeMemoryMachine } from "../../testing/memory-machine.ts";
import { type Machine, ProgramFailed } from "./machine.ts";
import { defaultRouteAddress, findOccupied, readRoutes } from "./occupied.ts";

const links = [
  { ifname: "eth0", ifindex: 1, addr_info: [{ local: "192.0.2.1", prefixlen: 24, scope: "global" }] },
  { ifname: "awg0", ifindex: 2, addr_info: [{ local: "10.9.0.1", prefixlen: 24, scope: "global" }] },
];

/** `ofType`: `ip`'s answer for links of one type, with the others as empty objects. */
const machineWith = (ofType: () => object[]): Machine => ({
  ...makeMemoryMachine((key) => key),
  run: async (_, args) => {
    if (args.includes("route")) return "[]";
    return JSON.stringify(args.includes("type") ? ofType() : links);
  },
});

test("tunnels of a kernel module that the panel does not control are listed with their networks", async () => {
  const { kernelTunnels, interfaceNames } = await findOccupied(
    machineWith(() => [{}, { ifname: "awg0" }]),
    [],
    ["amneziawg"],
  );
  expect(kernelTunnels).toEqual([{ name: "awg0", subnets: ["10.9.0.1/24"] }]);
  expect(interfaceNames).toEqual(["eth0", "awg0"]);
});

test("if the machine cannot list them, the rest is still returned", async () => {
  const machine = machineWith(() => {
    throw new ProgramFailed("ip", "failed", 1, "Unknown device type.");
  });
  expect(await findOccupied(machine, [], ["amneziawg"])).toMatchObject({
    kernelTunnels: [],
    subnets: ["192.0.2.1/24", "10.9.0.1/24"],
  });
});

test("the machine's networks are all its routes except the default one, however it is written, and its own addresses", async () => {
  const table = [
    { dst: "default", dev: "eth0" },
    { dst: "0.0.0.0/1", dev: "tun0" },
    { dst: "128.0.0.0/1", dev: "tun0" },
    { dst: "10.0.0.0/8", dev: "eth1" },
    { dst: "10.8.0.7", dev: "tun0" },
    { dst: "10.9.0.0/24", nexthops: [{ dev: "eth0" }, { dev: "eth1" }] },
    { type: "unreachable", dst: "10.8.0.9" },
    { type: "local", dst: "192.0.2.1", dev: "eth0", table: "local" },
    { type: "broadcast", dst: "192.0.2.255", dev: "eth0", table: "local" },
    { type: "multicast", dst: "ff00::/8", dev: "eth0", table: "local" },
  ];
  const machine: Machine = {
    ...makeMemoryMachine((key) => key),
    run: async (_, args) => JSON.stringify(args.includes("-4") ? table : [{ dst: "fe80::/64", dev: "eth0" }]),
  };
  expect(await readRoutes(machine)).toEqual([
    { network: "10.0.0.0/8", devices: ["eth1"] },
    { network: "10.8.0.7/32", devices: ["tun0"] },
    { network: "10.9.0.0/24", devices: ["eth0", "eth1"] },
    { network: "10.8.0.9/32", devices: [] },
    { network: "fe80::/64", devices: ["eth0"] },
  ]);
});

test.each([
  ["IPv4 where it has both", ["192.0.2.1", "2001:db8::1"], "192.0.2.1"],
  ["IPv6 if it has only that", [null, "2001:db8::1"], "2001:db8::1"],
  ["none without a default route", [null, null], null],
])("the machine's own address on its route to the internet is %s", async (_, [v4, v6], address) => {
  const machine: Machine = {
    ...makeMemoryMachine((key) => key),
    run: async (program, args) => {
      const own = args.at(-1)?.includes(":") ? v6 : v4;
      if (own === null) throw new ProgramFailed(program, "failed", 2, "RTNETLINK answers: Network is unreachable");
      return JSON.stringify([{ dst: args.at(-1), dev: "eth0", prefsrc: own }]);
    },
  };
  expect(await defaultRouteAddress(machine)).toBe(address);
});
