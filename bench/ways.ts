import { existsSync } from "node:fs";
import type { DesiredInterface } from "@krug/wireguard/interface";
import { askEngine } from "../lab/amnezia-client.ts";
import { type Device, newDevice, newInterface } from "../lab/club-wire.ts";
import type { Namespace } from "../lab/namespace.ts";
import * as lab from "../lab/network.ts";
import { OWN_ENGINE as engine } from "../scripts/engine.mjs";
import { runInLab } from "./run.ts";
import {
  connect,
  firstAnswer,
  networkSettings,
  nothingMeasured,
  printWays,
  serverFile,
  transfer,
} from "./throughput.ts";

/*
 * `npm run bench`: the ways to run tunnels if a machine's kernel has no WireGuard: Debian's wireguard-go, the panel's own engine,
 * and that engine's userspace networking. The clients are the same. The ways alternate, so other load affects all of them. The
 * kernel's own WireGuard needs a virtual machine: `bench/kernel.ts`.
 */
const ROUNDS = 5;
const BYTES = 100_000_000;
const LONGEST_MS = 3 * 60_000;

const WAYS = ["wireguard-go", "engine", "userspace networking"] as const;
type Way = (typeof WAYS)[number];

async function bench(network: lab.LabNetwork): Promise<void> {
  const { host, clients } = network;
  await lab.startServices(network.target, { tcp: [80] });
  await host.exec("sysctl", ["-q", "-w", "net.ipv4.ip_forward=1"]);
  await network.target.exec("ip", ["route", "add", "10.0.0.0/8", "via", lab.HOST_SECOND_ADDRESS]);
  const measured = nothingMeasured(WAYS);
  const ready = await Promise.all(
    WAYS.map(async (way, place) => {
      const tunnel = newInterface(`wg${place}`, 51820 + place, `10.8.${place}`);
      const device = newDevice(tunnel, 2);
      await startServer(host, way, tunnel, device);
      return { way, client: clients[place] as Namespace, file: device.file };
    }),
  );
  for (const { way, client, file } of ready)
    for (let round = 0; round < ROUNDS; round += 1) {
      const up = await connect(client, file);
      measured[way].first.push(await firstAnswer(client));
      if (round < ROUNDS - 1) await up.kill();
    }
  // The first round only warms up.
  for (let round = -1; round < ROUNDS; round += 1)
    for (const { way, client } of ready) {
      const { download, upload } = await transfer(client, BYTES);
      if (round < 0) continue;
      measured[way].download.push(download);
      measured[way].upload.push(upload);
    }
  printWays(measured, "engine", { "userspace networking": "≥ 0.50×" });
}

async function startServer(host: Namespace, way: Way, tunnel: DesiredInterface, { peer }: Device): Promise<void> {
  const { name } = tunnel;
  const own = way === "userspace networking" ? ["--userspace-networking"] : [];
  if (way === "wireguard-go") await host.start("wireguard-go", ["--foreground", name]);
  else await host.start(engine, ["--foreground", "--type", "wireguard", ...own, name]);
  await lab.until(`${way} answers`, () => askEngine(host, name, "get=1\n\n", "wireguard"));
  await host.exec("bash", ["-c", `wg setconf ${name} <(cat)`], { stdin: serverFile(tunnel, peer) });
  if (way === "userspace networking") {
    const settings = JSON.stringify(networkSettings(tunnel));
    const answer = await askEngine(host, name, `network=1\n${settings}\n\n`, "wireguard");
    if (answer !== "errno=0\n\n") throw new Error(`no settings: ${answer}`);
    return;
  }
  for (const address of tunnel.addresses) await host.exec("ip", ["address", "add", address, "dev", name]);
  await host.exec("ip", ["link", "set", "dev", name, "mtu", "1420", "up"]);
}

if (existsSync(engine)) await runInLab(bench, LONGEST_MS, { clients: WAYS.length });
else console.log("The ways are not measured: this processor has no engine.");
