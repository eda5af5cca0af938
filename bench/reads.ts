import { readFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import * as lab from "../lab/network.ts";
import { invite, setUpAdmin, startPanel } from "../lab/panel.ts";
import type { Read, Task } from "./measure-reads.ts";
import { runInLab } from "./run.ts";
import { seedConfigs } from "./seed.ts";
import { at, ms, printTable, times } from "./table.ts";

/*
 * `npm run bench:reads [-- CONFIGS]`: what members' most frequent calls cost next to a bare server that sends the same bytes,
 * and the panel's memory, on a machine of the lab with 10,000 peers. Ends by itself and leaves nothing behind.
 */
const CONFIGS = Number(process.argv[2] ?? 10_000);
const A_FEW = 3;
const MANY = 100;
const LONGEST_MS = 5 * 60_000;
/** Longer than a minute, so that everything that runs each minute runs once. */
const IDLE_MS = 75_000;
/** Configured as an operator runs it, not as tests do. */
const env = { LOG_LEVEL: "info" };

async function bench(network: lab.LabNetwork): Promise<void> {
  const { host } = network;
  const panel = await startPanel(network, host, { env });
  const { admin, id } = await setUpAdmin(panel);
  const few = await invite(panel, admin, "few");
  const many = await invite(panel, admin, "many");
  await panel.end("SIGTERM");
  await host.exec("ip", ["link", "del", "wg0"]);
  await seedConfigs(panel.dataDir, [
    { memberId: few.user.id, count: A_FEW },
    { memberId: many.user.id, count: MANY },
    { memberId: id, count: CONFIGS - A_FEW - MANY },
  ]);
  await panel.start();
  await lab.until("all peers are on the wire", async () => (await peersOn(host)) === CONFIGS, 60_000);
  await wait(IDLE_MS);
  const idle = await residentBytes(panel.pid());

  const measured = await lab.startSource(host, "../bench/measure-reads.ts");
  const task: Task = {
    port: panel.port,
    pid: Number(await statusOf(panel.pid(), /NSpid:.*\s(\d+)/)),
    barePort: 4001,
    reads: [
      { what: "GET /auth/me", path: "/api/auth/me", token: few.token },
      { what: `GET /vpn/configs, ${A_FEW} of one's own`, path: "/api/vpn/configs", token: few.token },
      { what: `GET /vpn/configs, ${MANY} of one's own`, path: "/api/vpn/configs", token: many.token },
    ],
  };
  measured.process.stdin?.end(JSON.stringify(task));
  await lab.until("it is measured", () => measured.process.exitCode !== null, LONGEST_MS);
  if (measured.process.exitCode !== 0) throw new Error(measured.output());
  const busy = await residentBytes(panel.pid());
  print(JSON.parse(measured.output()) as Read[], { idle, busy });
  await panel.end("SIGTERM");
}

const peersOn = async (host: lab.LabNetwork["host"]) => (await lab.devicesOn(host, "wg0")).length;

async function statusOf(pid: number, value: RegExp): Promise<string | undefined> {
  return value.exec(await readFile(`/proc/${pid}/status`, "utf8"))?.[1];
}
const residentBytes = async (pid: number) => Number(await statusOf(pid, /VmRSS:\s+(\d+) kB/)) * 1024;

function print(reads: readonly Read[], { idle, busy }: Record<"idle" | "busy", number>) {
  const mb = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;
  printTable([
    [`at ${CONFIGS} configs`, "panel", "node:http", "ratio", "CPU", "node:http", "ratio", "p50", "p99", "longest"],
    ...reads.map(({ what, bytes, panel, bare, took }) => [
      `${what}, ${bytes} bytes`,
      `${panel.perSecond.toFixed(0)}/s`,
      `${bare.perSecond.toFixed(0)}/s`,
      times(panel.perSecond / bare.perSecond),
      `${panel.cpu.toFixed(0)} µs`,
      `${bare.cpu.toFixed(0)} µs`,
      times(bare.cpu / panel.cpu),
      ms(at(took, 0.5)),
      ms(at(took, 0.99)),
      ms(at(took, 1)),
    ]),
    ["resident memory, idle", mb(idle)],
    ["… after all this", mb(busy)],
  ]);
}

await runInLab(bench, 2 * LONGEST_MS);
