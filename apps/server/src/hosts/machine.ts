import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { cpus, freemem, hostname, loadavg, totalmem, uptime } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import type { MachineState } from "./host.ts";
import { defaultRouteAddress } from "./occupied.ts";
import type { Run } from "./run.ts";

/** Long enough to see work, short enough for somebody who waits. */
const CPU_SAMPLE_MS = 250;

/** Live numbers of this machine, as the kernel tells them. */
export async function readMachine(run: Run): Promise<MachineState> {
  const before = cpuTimes();
  const [network, address] = await Promise.all([readTraffic(run), defaultRouteAddress(run), wait(CPU_SAMPLE_MS)]);
  const after = cpuTimes();
  const passed = after.total - before.total;
  const [one = 0, five = 0, fifteen = 0] = loadavg();
  return {
    hostName: hostname(),
    cpuUsage: passed > 0 ? Math.round((100 * (passed - (after.idle - before.idle))) / passed) : 0,
    cores: Math.max(1, cpus().length),
    memory: { total: totalmem(), free: freemem() },
    uptimeS: Math.floor(uptime()),
    load: [one, five, fifteen],
    network,
    address,
  };
}

/** A hash of the machine's id (machine-id(5) asks not to give the id itself away); null where the machine has none. */
export async function readMachineHash(): Promise<string | null> {
  const id = (await readFile("/etc/machine-id", "utf8").catch(() => "")).trim();
  return /^[0-9a-f]{32}$/.test(id) ? createHash("sha256").update(`krug machine ${id}`).digest("hex") : null;
}

function cpuTimes(): { idle: number; total: number } {
  let [idle, total] = [0, 0];
  for (const { times } of cpus()) {
    idle += times.idle;
    total += times.user + times.nice + times.sys + times.idle + times.irq;
  }
  return { idle, total };
}

/** Bytes by the devices that default routes lead through, so that what goes through a tunnel is counted once. */
async function readTraffic(run: Run): Promise<{ in: number; out: number }> {
  const [table, ...routes] = await Promise.all([
    readFile("/proc/net/dev", "utf8").catch(() => ""),
    ...["-4", "-6"].map((family) => run("ip", ["-j", family, "route", "show", "default"]).catch(() => "[]")),
  ]);
  const devices = new Set(
    routes.flatMap((text) => (JSON.parse(text || "[]") as { dev?: string }[]).map(({ dev }) => dev ?? "")),
  );
  return countersOf(table, devices);
}

/** Sums received and sent bytes of these devices in the text of /proc/net/dev (proc(5)). */
export function countersOf(table: string, devices: ReadonlySet<string>): { in: number; out: number } {
  const sum = { in: 0, out: 0 };
  for (const line of table.split("\n")) {
    const [, name = "", numbers = ""] = /^\s*([^:\s]+):\s*(.*)$/.exec(line) ?? [];
    if (!devices.has(name)) continue;
    const columns = numbers.split(/\s+/).map(Number);
    sum.in += columns[0] ?? 0;
    sum.out += columns[8] ?? 0;
  }
  return sum;
}
