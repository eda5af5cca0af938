import { expect, test } from "vitest";
import { makeMemoryMachine } from "../dev/memory-machine.ts";
import { type Machine, ProgramFailed } from "./machine.ts";
import { findOccupied } from "./occupied.ts";

const links = [
  { ifname: "eth0", ifindex: 1, addr_info: [{ local: "192.0.2.1", prefixlen: 24, scope: "global" }] },
  { ifname: "awg0", ifindex: 2, addr_info: [{ local: "10.9.0.1", prefixlen: 24, scope: "global" }] },
];

/** `ofType`: as `ip` answers for links of one type, the others as empty objects. */
const machineWith = (ofType: () => object[]): Machine => ({
  ...makeMemoryMachine((key) => key),
  run: async (_, args) => {
    if (args.includes("route")) return "[]";
    return JSON.stringify(args.includes("type") ? ofType() : links);
  },
});

test("tunnels of a kernel's module that the panel does not drive are told with their networks", async () => {
  const { kernelTunnels, interfaceNames } = await findOccupied(
    machineWith(() => [{}, { ifname: "awg0" }]),
    [],
    ["amneziawg"],
  );
  expect(kernelTunnels).toEqual([{ name: "awg0", subnets: ["10.9.0.1/24"] }]);
  expect(interfaceNames).toEqual(["eth0", "awg0"]);
});

test("a machine that cannot be asked for them has the rest told all the same", async () => {
  const machine = machineWith(() => {
    throw new ProgramFailed("ip", "failed", 1, "Unknown device type.");
  });
  expect(await findOccupied(machine, [], ["amneziawg"])).toMatchObject({
    kernelTunnels: [],
    subnets: ["192.0.2.1/24", "10.9.0.1/24"],
  });
});
