import { createHash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { MOST_NAME } from "./answers.ts";
import type { MachineState } from "./host.ts";
import { type Machine, orElse, runForJson, Unreadable } from "./machine.ts";
import { defaultRouteAddress } from "./occupied.ts";

/** Long enough to measure, short enough to wait for. */
const CPU_SAMPLE_MS = 250;

/** Live numbers of a machine, from its kernel; the devices that lead to the internet, and its address there, from `ip`. */
export const readMachine = (machine: Machine): Promise<MachineState> =>
  readMachineBy(machine, defaultDevices, defaultRouteAddress);

/** The same, with those from elsewhere. */
export async function readMachineBy(
  machine: Machine,
  devices: (machine: Machine) => Promise<string[]>,
  addressOf: (machine: Machine) => Promise<string | null>,
): Promise<MachineState> {
  const cpu = async () => cpuTimesOf(await readProc(machine, "stat"));
  const before = await cpu();
  const [hostName, memory, uptime, load, network, address] = await Promise.all([
    readProc(machine, "sys/kernel/hostname"),
    readProc(machine, "meminfo"),
    readProc(machine, "uptime"),
    readProc(machine, "loadavg"),
    readTraffic(machine, devices),
    addressOf(machine),
    wait(CPU_SAMPLE_MS),
  ]);
  const after = await cpu();
  const passed = after.total - before.total;
  const [one = 0, five = 0, fifteen = 0] = load.split(" ").map(Number);
  return {
    hostName: hostName.trim(),
    cpuUsage: passed > 0 ? Math.round((100 * (passed - (after.idle - before.idle))) / passed) : 0,
    cpuTimes: { idle: after.idle, total: after.total },
    cores: Math.max(1, after.cores),
    memory: memoryOf(memory),
    uptimeS: Math.floor(Number.parseFloat(uptime)),
    load: [one, five, fifteen],
    network,
    address,
  };
}

/** A hash of the machine's id (machine-id(5) asks not to give the id itself away); null if the machine has none. */
export async function readMachineHash(machine: Machine): Promise<string | null> {
  const id = (await machine.readFile("/etc/machine-id"))?.trim() ?? "";
  return /^[0-9a-f]{32}$/.test(id) ? createHash("sha256").update(`krug machine ${id}`).digest("hex") : null;
}

async function readProc(machine: Machine, name: string): Promise<string> {
  const text = await machine.readFile(`/proc/${name}`);
  if (text === null) throw new Unreadable(`/proc/${name}`);
  return text;
}

/** Ticks since the start, all cores together, in the text of /proc/stat (proc(5)). Waiting for a disk counts as work. */
export function cpuTimesOf(stat: string): { idle: number; total: number; cores: number } {
  const times = { idle: 0, total: 0, cores: 0 };
  for (const line of stat.split("\n")) {
    const [, numbers] = /^cpu\d+ (.*)$/.exec(line) ?? [];
    if (numbers === undefined) continue;
    const [user = 0, nice = 0, system = 0, idle = 0, , irq = 0] = numbers.split(" ").map(Number);
    times.idle += idle;
    times.total += user + nice + system + idle + irq;
    times.cores += 1;
  }
  return times;
}

/** Bytes, from the text of /proc/meminfo (proc(5)). */
export function memoryOf(meminfo: string): MachineState["memory"] {
  const bytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(meminfo)?.[1] ?? 0) * 1024;
  return { total: bytes("MemTotal"), free: bytes("MemAvailable") || bytes("MemFree") };
}

/** Bytes of the devices with default routes, so that tunnel traffic is counted once. */
async function readTraffic(
  machine: Machine,
  devices: (machine: Machine) => Promise<string[]>,
): Promise<MachineState["network"]> {
  const [table, names] = await Promise.all([machine.readFile("/proc/net/dev"), devices(machine)]);
  return countersOf(table ?? "", new Set(names));
}

const Ways = z.array(z.object({ dev: z.string().max(MOST_NAME).optional() }));

async function defaultDevices(machine: Machine): Promise<string[]> {
  const routes = await Promise.all(
    ["-4", "-6"].map((family) =>
      runForJson(machine, "ip", ["-j", family, "route", "show", "default"], Ways).catch(orElse([])),
    ),
  );
  return routes.flat().map(({ dev }) => dev ?? "");
}

/** Sums received and sent bytes of these devices in the text of /proc/net/dev (proc(5)). */
export function countersOf(table: string, devices: ReadonlySet<string>): { in: number; out: number } {
  const sum = { in: 0, out: 0 };
  for (const line of table.split("\n")) {
    const [, name = "", numbers = ""] = /^\s*([^:\s]+):\s*(\S.*)$/.exec(line) ?? [];
    if (!devices.has(name)) continue;
    const columns = numbers.split(/\s+/).map(Number);
    sum.in += columns[0] ?? 0;
    sum.out += columns[8] ?? 0;
  }
  return sum;
}
