import { expect, test } from "vitest";
import { type Machine, ProgramFailed } from "./machine.ts";
import { measurePath, readPathMtu } from "./path-mtu.ts";

interface Sample {
  /** MTU by link. */
  links: Record<string, number>;
  v4?: object;
  v6?: object;
  /** The network's MTU up to each gateway; a missing one answers nothing. */
  carries?: Record<string, number>;
  hasPing?: boolean;
}

/** A machine on a network, and the echoes it sent. */
function machineOn({ links, v4, v6, carries = {}, hasPing = true }: Sample) {
  const echoes: string[] = [];
  const machine = {
    async run(program: string, args: readonly string[]) {
      const line = args.join(" ");
      if (line === "-j address show")
        return JSON.stringify(Object.entries(links).map(([ifname, mtu]) => ({ ifname, mtu })));
      if (line.startsWith("-j route get")) {
        const route = line.includes(":") ? v6 : v4;
        if (route === undefined) throw new ProgramFailed("ip", "failed", 2, "Network is unreachable");
        return JSON.stringify([route]);
      }
      if (program !== "ping" || !hasPing) throw new ProgramFailed(program, "not_found", null, "");
      echoes.push(line);
      const bytes = Number(args[args.indexOf("-s") + 1]) + (line.includes(":") ? 48 : 28);
      if (bytes > (carries[args.at(-1) ?? ""] ?? 0)) throw new ProgramFailed("ping", "failed", 1, "");
      return "";
    },
  } as unknown as Machine;
  return { machine, echoes };
}

const V4 = { dev: "eth0", gateway: "192.0.2.1" };
const V6 = { dev: "eth0", gateway: "fe80::1" };
const ETHERNET = { eth0: 1500, wg0: 1420 };

test.each<[string, Sample, number | null]>([
  ["nothing leads out", { links: ETHERNET }, null],
  ["an Ethernet carries it all", { links: ETHERNET, v4: V4, carries: { "192.0.2.1": 1500 } }, 1500],
  ["frames are jumbo ones", { links: { eth0: 9000 }, v4: V4, carries: { "192.0.2.1": 9000 } }, 1500],
  ["the link says 1450", { links: { eth0: 1450 }, v4: V4, carries: { "192.0.2.1": 1450 } }, 1450],
  ["the route says 1400", { links: ETHERNET, v4: { ...V4, metrics: [{ mtu: 1400 }] } }, 1400],
  ["the default route is a tunnel", { links: ETHERNET, v4: { dev: "wg0" } }, 1420],
  [
    "the link says 1500 and the network carries 1450",
    { links: ETHERNET, v4: V4, carries: { "192.0.2.1": 1450 } },
    1450,
  ],
  ["only IPv6 is narrow", { links: ETHERNET, v4: V4, v6: V6, carries: { "192.0.2.1": 1500, "fe80::1": 1460 } }, 1460],
  ["the gateway answers no echo", { links: ETHERNET, v4: V4 }, 1500],
  ["the machine has no ping", { links: { eth0: 1460 }, v4: V4, carries: { "192.0.2.1": 1300 }, hasPing: false }, 1460],
])("where %s, the path MTU is that", async (_, sample, path) => {
  expect(await measurePath(machineOn(sample).machine)).toBe(path);
});

test("nothing is sent beyond the gateway, and probes must not be fragmented", async () => {
  const { machine, echoes } = machineOn({ links: ETHERNET, v4: V4, v6: V6, carries: { "192.0.2.1": 1500 } });
  await measurePath(machine);
  expect(echoes.sort()).toEqual([
    "-n -q -c 2 -i 0.2 -W 1 -I eth0 -M do -s 1232 fe80::1",
    "-n -q -c 2 -i 0.2 -W 1 -I eth0 -M do -s 1252 192.0.2.1",
    "-n -q -c 2 -i 0.2 -W 1 -I eth0 -M do -s 1452 fe80::1",
    "-n -q -c 2 -i 0.2 -W 1 -I eth0 -M do -s 1472 192.0.2.1",
  ]);
});

test("without programs the links' MTU is used", async () => {
  const files: Record<string, string> = { "/sys/class/net/eth0/mtu": "1460\n", "/sys/class/net/eth1/mtu": "9000\n" };
  const machine = { readFile: async (path: string) => files[path] ?? null } as unknown as Machine;
  expect(await readPathMtu(machine, ["eth0", "eth1"])).toBe(1460);
  expect(await readPathMtu(machine, ["eth1"])).toBe(1500);
  expect(await readPathMtu(machine, ["gone0", "../../etc"])).toBeNull();
});
