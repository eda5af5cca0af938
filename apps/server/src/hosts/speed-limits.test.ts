import { reason } from "@krug/domain/reasons";
import { expect, test } from "vitest";
import { makeMemoryMachine } from "../../testing/memory-machine.ts";
import { ProgramFailed } from "./machine.ts";
import { classesIn, classesOf, lackingSpeeds, makeSpeedLimits } from "./speed-limits.ts";

const limits = (count: number, mbit = 20) =>
  Array.from({ length: count }, (_, at) => ({ key: `member-${at}`, mbit, sources: [`10.8.${at >> 8}.${at & 255}`] }));

test("each limit has two classes of its own, which another's limit does not move", () => {
  const { speeds, addresses } = classesOf(limits(3_000));
  expect(speeds.size).toBe(6_000);
  expect(new Set(addresses.values()).size).toBe(3_000);
  expect(Math.max(...speeds.keys())).toBeLessThan(0xffff);
  const fewer = classesOf(limits(3_000).slice(1)).addresses;
  const moved = [...fewer].filter(([address, minor]) => addresses.get(address) !== minor);
  expect(moved.length).toBeLessThan(5);
});

test("an address has one limit, the first", () => {
  const twice = limits(2).map((each) => ({ ...each, sources: ["10.8.0.9"] }));
  expect([...classesOf(twice).addresses]).toHaveLength(1);
});

test("classes are read as tc lists them", () => {
  const listed = `class htb 6b72:2 root leaf 2: prio 0 rate 20Mbit ceil 20Mbit burst 5000b cburst 5000b 
class htb 6b72:a root leaf a: prio 0 rate 1Gbit ceil 1Gbit burst 250000b cburst 250000b 
class htb 6b72:b root leaf b: prio 0 rate 1500Kbit ceil 20Mbit burst 5000b cburst 5000b 
class htb 6b72:c root prio 0 rate 20Mbit ceil 20Mbit burst 5000b cburst 5000b 
class htb 1:2 root leaf 2: prio 0 rate 20Mbit ceil 20Mbit burst 5000b cburst 5000b 
`;
  expect([...classesIn(listed)]).toEqual([
    [2, 20],
    [10, 1_000],
    [11, null],
    [12, null],
  ]);
});

test("limits that a machine does not hold are counted, and nothing is changed", async () => {
  const wanted = limits(3);
  const { speeds, addresses } = classesOf(wanted);
  const classes = [...speeds].map(([minor, mbit]) => {
    const name = minor.toString(16);
    return `class htb 6b72:${name} root leaf ${name}: prio 0 rate ${mbit}Mbit ceil ${mbit}Mbit burst 5000b cburst 5000b `;
  });
  const elements = [...addresses].map(([address, minor]) => `${address} : 6b72:${minor.toString(16)}`);
  const rule = (map: string) => `    meta priority set ip daddr map @${map} fwd to "krug-speed"\n`;
  const rules = ["to_v4", "to_v6", "from_v4", "from_v6"].map(rule).join("");
  const machine = { device: ["UP"], classes, elements, rules };
  const lacking = async (different: Partial<typeof machine>) => {
    const { device, classes, elements, rules } = { ...machine, ...different };
    const answers: Record<string, string> = {
      ip: JSON.stringify([{ ifname: "krug-speed", flags: device }]),
      tc: `${classes.join("\n")}\n`,
      nft: `table netdev krug_speed {\n  map to_v4 {\n    elements = { ${elements.join(",\n ")} }\n  }\n${rules}}\n`,
    };
    const run = async (program: string) => answers[program] ?? "";
    return lackingSpeeds({ ...makeMemoryMachine((key) => key), run } as never, wanted);
  };
  expect(await lacking({})).toBe(0);
  expect(await lacking({ device: [] })).toBe(3);
  expect(await lacking({ classes: classes.slice(1) })).toBe(1);
  expect(await lacking({ classes: classes.map((line) => line.replaceAll("20M", "90M")) })).toBe(3);
  expect(await lacking({ elements: elements.slice(1) })).toBe(1);
  expect(await lacking({ rules: rule("to_v4") })).toBe(3);
  const without = makeMemoryMachine((key) => key);
  without.trouble = () => new ProgramFailed("ip", "not_found", null, "") as never;
  expect(await lackingSpeeds(without, [])).toBe(0);
});

test("a kernel that has not loaded the device's type gets the device", async () => {
  const commands: string[] = [];
  const run = async (program: string, args: readonly string[]) => {
    commands.push([program, ...args].join(" "));
    return program === "ip" && args.includes("show") ? "[{},{},{}]\n" : "";
  };
  const machine = { ...makeMemoryMachine((key) => key), run } as never;
  expect(await makeSpeedLimits().bringTo(machine, { tunnels: ["wg0"], limits: limits(1) })).toBeNull();
  expect(commands).toContain("ip link add dev krug-speed type ifb");
  expect(commands).toContain("ip link set dev krug-speed up");
});

test("without limits nothing is asked again, and a machine without tc keeps no table", async () => {
  const machine = makeMemoryMachine((key) => key);
  const speeds = makeSpeedLimits();
  expect(await speeds.bringTo(machine, { tunnels: ["wg0"], limits: [] }, false)).toBeNull();
  machine.commands.length = 0;
  expect(await speeds.bringTo(machine, { tunnels: ["wg0"], limits: [] }, false)).toBeNull();
  expect(machine.commands).toEqual([]);
  machine.trouble = (command) => {
    if (command.startsWith("tc")) throw new ProgramFailed("tc", "not_found", null, "");
    return undefined;
  };
  expect(await speeds.bringTo(machine, { tunnels: ["wg0"], limits: limits(1) })).toBe(
    reason("program.not_found", { program: "tc" }),
  );
  expect(machine.commands.at(-1)).toMatch(/^nft .*krug_speed$/);
});
