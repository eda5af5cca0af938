import { beforeEach, expect, test } from "vitest";
import { type Exits, forgetExits, prepareExits, routeExits } from "./exit-routes.ts";
import type { Machine } from "./machine.ts";
import type { GuardSeen } from "./routing-guard.ts";

/** Routing tables and rules of a machine, by family. */
interface Kernel {
  routes: string[];
  rules: GuardSeen["v4"];
}
let kernels: Record<"-4" | "-6", Kernel>;
let commands: string[];
beforeEach(() => {
  kernels = { "-4": { routes: [], rules: [] }, "-6": { routes: [], rules: [] } };
  commands = [];
});

/** As much of `ip` as exits need. */
const machine = {
  async run(_: string, args: readonly string[]) {
    const text = args.join(" ");
    const family = args.includes("-6") ? "-6" : "-4";
    const kernel = kernels[family];
    if (!args.includes("-j")) commands.push(text);
    const table = (/(?:table|lookup) (\d+)/.exec(text) ?? [])[1] ?? "";
    if (text.includes("route show"))
      return JSON.stringify(
        kernel.routes
          .filter((route) => route.includes(`table ${table} `))
          .map((route) =>
            route.includes("blackhole") ? { type: "blackhole", dst: "default" } : { dst: "default", dev: "exit2" },
          ),
      );
    if (text.includes("route replace")) kernel.routes.push(text);
    if (text.includes("route flush"))
      kernel.routes = kernel.routes.filter((route) => !route.includes(`table ${table} `));
    const [, iif, fwmark] = /iif (\S+) fwmark (\S+)\/16711680/.exec(text) ?? [];
    const [, src] = /pref 90 from (\S+) /.exec(text) ?? [];
    if (src !== undefined) {
      kernel.rules = kernel.rules.filter((rule) => rule.src !== src);
      if (text.includes("rule add")) kernel.rules.push({ priority: 90, src, table });
      return "";
    }
    if (text.includes("rule add"))
      kernel.rules.push({ priority: 90, iif, fwmark, fwmask: "0xff0000", table } as GuardSeen["v4"][number]);
    if (text.includes("rule del"))
      kernel.rules = kernel.rules.filter((rule) => rule.iif !== iif || rule.table !== table);
    return "";
  },
} as unknown as Machine;
const seen = (): GuardSeen => ({ v4: [...kernels["-4"].rules], v6: [...kernels["-6"].rules] });
const EXITS: Exits = {
  interfaces: ["wg0", "wg1"],
  links: [{ number: 2, name: "exit2", mtu: null, addresses: ["198.18.0.10", "fd00:2::2"] }],
};

test("a table ends in a blackhole before any rule leads there, and gets its way through the link last, for both families", async () => {
  await prepareExits(machine, EXITS, seen());
  await routeExits(machine, EXITS.links ?? [], seen());
  for (const family of ["-4", "-6"])
    expect(commands.filter((command) => command.startsWith(family))).toEqual([
      `${family} route replace blackhole default table 27394 metric 4096 protocol kernel`,
      `${family} rule add pref 90 from ${family === "-4" ? "198.18.0.10" : "fd00:2::2"} lookup 27394 protocol kernel`,
      `${family} rule add pref 90 iif wg0 fwmark 131072/16711680 lookup 27394 protocol kernel`,
      `${family} rule add pref 90 iif wg1 fwmark 131072/16711680 lookup 27394 protocol kernel`,
      `${family} route replace default dev exit2 table 27394 metric 10 protocol kernel`,
    ]);
});

test("what is right is left alone", async () => {
  await prepareExits(machine, EXITS, seen());
  await routeExits(machine, EXITS.links ?? [], seen());
  commands = [];
  await prepareExits(machine, EXITS, seen());
  await forgetExits(machine, EXITS, seen());
  await routeExits(machine, EXITS.links ?? [], seen());
  expect(commands).toEqual([]);
});

test("rules and tables that nothing is marked for are removed, and nobody else's", async () => {
  await prepareExits(machine, EXITS, seen());
  const others = { priority: 90, iif: "wg0", fwmask: "0xff0000", table: "100" };
  kernels["-4"].rules.push(others);
  await forgetExits(machine, { ...EXITS, interfaces: ["wg0"] }, seen());
  expect(kernels["-4"].rules.map(({ iif, table }) => `${iif} ${table}`)).toEqual([
    "undefined 27394",
    "wg0 27394",
    "wg0 100",
  ]);
  await forgetExits(machine, { interfaces: [] }, seen());
  expect(kernels["-4"]).toEqual({ routes: [], rules: [others] });
  expect(kernels["-6"]).toEqual({ routes: [], rules: [] });
});

test("a kernel without IPv6 gets IPv4 only", async () => {
  await prepareExits(machine, EXITS, { ...seen(), v6: null });
  expect(commands.filter((command) => command.startsWith("-6"))).toEqual([]);
  expect(commands).not.toEqual([]);
});
