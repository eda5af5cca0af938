import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { type DesiredHost, NO_ACCESS_RULES } from "../apps/server/src/hosts/host.ts";
import { type Device, desiredHost, newDevice, newInterface, withPeers } from "../lab/club-wire.ts";
import { driveHost } from "../lab/driven-host.ts";
import { startKernelHost } from "../lab/kernel-host.ts";
import type { Namespace } from "../lab/namespace.ts";
import * as lab from "../lab/network.ts";
import { OWN_ENGINE as engine } from "../scripts/engine.mjs";
import { leftOut } from "../scripts/system-packages.mjs";
import { put, putProgram } from "./in-guest.ts";
import { runInLab } from "./run.ts";
import { at, ms, printTable, times } from "./table.ts";
import { connect, firstAnswer, nothingMeasured, printWays, serverFile, transfer } from "./throughput.ts";

/*
 * `npm run bench:routing`: one server with an interface that it routes and one that it does not, for a club of 1,000 members, 30 services and
 * 20,000 networks. The two alternate, so other load affects both. Loading the table and comparing it unchanged stand next to
 * reading it by hand, which costs the machine the same whoever asks. Then the same table and tunnels in a virtual machine, where the
 * kernel's own WireGuard runs: QEMU emulates its processor, so only the ratio means something.
 */
const ROUNDS = 7;
/** One of them is complete (ADR 213), besides the first, which warms up. */
const COMPARISONS = 17;
const BYTES = 50_000_000;
const KERNEL_BYTES = 4_000_000;
const KERNEL_ROUNDS = 31;
const LONGEST_MS = 45 * 60_000;
const [MEMBERS, SERVICES, NETWORKS] = [1_000, 30, 20_000];

const WAYS = ["not routed", "routed"] as const;
type Tunnel = ReturnType<typeof newInterface>;

/** `npm run bench:routing -- kernel`: only the virtual machine. */
const only = process.argv[2];

/** Processor time of the driver and of the programs that it ran, in ms. */
async function workOf(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, "utf8")).replace(/^.*\) /, "").split(" ");
  const ticks = fields.slice(11, 15).reduce((sum, each) => sum + Number(each), 0);
  return ticks * 10;
}

async function bench(network: lab.LabNetwork): Promise<void> {
  const { host } = network;
  await lab.startServices(network.target, { tcp: [80] });
  const driver = await driveHost(host);
  const tunnels = WAYS.map((_, place) => newInterface(`wg${place}`, 51820 + place, `10.8.${place}`));
  const devices = tunnels.map((tunnel) => newDevice(tunnel, 2));
  const desired = forClub(tunnels, devices);
  await driver.apply({ ...desired, access: NO_ACCESS_RULES });
  const { firewallFailure } = await driver.apply(desired);
  if (firewallFailure !== null) throw new Error(JSON.stringify(firewallFailure));
  if (only !== "kernel") {
    await compare(host, driver, desired);
    await benchLab(network, devices);
  }
  const reason = (await leftOut(["soak"])).get("soak");
  if (reason) return console.log(`\nThe kernel's WireGuard is not measured: ${reason}.`);
  const table = await host.exec("nft", ["--stateless", "list", "table", "inet", "krug"]);
  await driver.process.kill();
  await benchKernel(tunnels, devices, table);
}

/** The driver has just loaded the table. */
async function compare(host: Namespace, driver: Awaited<ReturnType<typeof driveHost>>, desired: DesiredHost) {
  const loaded = driver.lastTookMs();
  const compared: number[] = [];
  const worked: number[] = [];
  const read: number[] = [];
  for (let round = 0; round < COMPARISONS; round += 1) {
    const before = await workOf(driver.process.pid);
    await driver.apply(desired);
    compared.push(driver.lastTookMs());
    worked.push((await workOf(driver.process.pid)) - before);
    const from = performance.now();
    await host.exec("nft", ["--stateless", "list", "table", "inet", "krug"]);
    read.push(performance.now() - from);
  }
  const beside = at(read, 0.5);
  const row = (what: string, own: number, target: string) => [
    what,
    ms(own),
    `read ${ms(beside)}`,
    times(own / beside),
    target,
  ];
  printTable([
    [`${MEMBERS} members, ${SERVICES} services, ${NETWORKS} networks`, "measured", "beside", "ratio", "target"],
    row("loaded", loaded, "≤ 5,000 ms"),
    row("compared unchanged, p50", at(compared, 0.5), "≤ 500 ms"),
    row("its processor time, p50", at(worked, 0.5), ""),
    row("compared with what is in the sets", Math.max(...compared), ""),
    row("its processor time", Math.max(...worked), ""),
  ]);
}

async function benchLab({ clients }: lab.LabNetwork, devices: Device[]): Promise<void> {
  const measured = nothingMeasured(WAYS);
  for (const [place, way] of WAYS.entries()) {
    await connect(clients[place] as Namespace, devices[place]?.file ?? "");
    measured[way].first.push(await firstAnswer(clients[place] as Namespace));
  }
  // The first round only warms up.
  for (let round = -1; round < ROUNDS; round += 1)
    for (const [place, way] of WAYS.entries()) {
      const { download, upload } = await transfer(clients[place] as Namespace, BYTES);
      if (round < 0) continue;
      measured[way].download.push(download);
      measured[way].upload.push(upload);
    }
  console.log("\nThe panel's engine, in the lab:");
  printWays(measured, "not routed", { routed: "≥ 0.90×" });
}

/** `table`: what the panel loaded in the lab. */
async function benchKernel(tunnels: Tunnel[], devices: Device[], table: string): Promise<void> {
  const stage = (what: string) => console.log(`${(performance.now() / 1_000).toFixed(0)} s: ${what}`);
  console.log("");
  stage("a virtual machine boots");
  const vps = await startKernelHost({ password: "root's own password" });
  try {
    const client = vps.network.clients[0] as Namespace;
    await lab.startServices(vps.network.target, { tcp: [80] });
    await vps.exec("sysctl -qw net.ipv4.ip_forward=1");
    stage("it gets programs and the table");
    for (const program of ["/usr/bin/wg", "/usr/sbin/nft"]) await putProgram(vps, program);
    for (const [place, tunnel] of tunnels.entries()) {
      const { name, addresses } = tunnel;
      await vps.exec(`ip link add ${name} type wireguard && wg setconf ${name} <(cat)`, {
        stdin: serverFile(tunnel, (devices[place] as Device).peer),
      });
      for (const address of addresses) await vps.exec(`ip address add ${address} dev ${name}`);
      await vps.exec(`ip link set dev ${name} mtu 1420 up`);
    }
    await put(vps, "/run/table", Buffer.from(table));
    stage("it loads the table");
    await vps.exec("nft -f /run/table", { timeoutMs: LONGEST_MS });
    const measured = nothingMeasured(WAYS);
    // The first round only warms up.
    for (let round = -1; round < KERNEL_ROUNDS; round += 1) {
      if (round % 10 === 0) stage(`round ${round + 1} of ${KERNEL_ROUNDS}`);
      for (const [place, way] of WAYS.entries()) {
        const device = await connect(client, devices[place]?.file ?? "");
        const first = await firstAnswer(client);
        const { download, upload } = await transfer(client, KERNEL_BYTES);
        await device.kill();
        if (round < 0) continue;
        measured[way].first.push(first);
        measured[way].download.push(download);
        measured[way].upload.push(upload);
      }
    }
    console.log("\nThe kernel's WireGuard, in the virtual machine:");
    printWays(measured, "not routed", { routed: "≥ 0.90×" });
  } finally {
    await vps.stop();
  }
}

function forClub(tunnels: Tunnel[], devices: Device[]): DesiredHost {
  const members = Array.from({ length: MEMBERS }, (_, index) => `10.9.${index >> 8}.${index & 255}`);
  const own = devices.flatMap(({ peer }) => peer.allowedIps.map((each) => each.replace(/\/\d+$/, "")));
  const networks = Array.from({ length: NETWORKS }, (_, index) => `5.${index >> 8}.${index & 255}.0/25`);
  const rules = Array.from({ length: SERVICES }, (_, service) => ({
    // Everybody has chosen differently, and the devices that are measured have all: the longest way through the chain.
    sources: [...members.filter((_, member) => (member * 2_654_435_761) & (1 << service)), ...own],
    networks: networks.filter((_, place) => place % SERVICES === service),
    exit: "closed" as const,
  }));
  const rest = { sources: [...members, ...own], networks: null, exit: "direct" as const };
  return {
    ...desiredHost(...tunnels.map((tunnel, place) => withPeers(tunnel, devices[place] as Device))),
    access: { ...NO_ACCESS_RULES, routing: { interfaces: ["wg1"], rules: [...rules, rest] } },
  };
}

if (existsSync(engine)) await runInLab(bench, LONGEST_MS, { clients: WAYS.length });
else console.log("Routing is not measured: this processor has no engine.");
