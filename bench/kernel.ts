import { readFile } from "node:fs/promises";
import { brotliDecompressSync } from "node:zlib";
import type { DesiredInterface } from "@krug/wireguard/interface";
import { type Device, newDevice, newInterface } from "../lab/club-wire.ts";
import { startKernelHost } from "../lab/kernel-host.ts";
import * as lab from "../lab/network.ts";
import { ROOT } from "../scripts/command.mjs";
import { ensureInstalled } from "../scripts/install.mjs";
import { leftOut } from "../scripts/system-packages.mjs";
import { put, putProgram } from "./in-guest.ts";
import { prepareBench } from "./run.ts";
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
 * `npm run bench`: the kernel's WireGuard next to the panel's engine and its userspace networking. All three run in one virtual
 * machine, because the lab's kernel need not have WireGuard. QEMU emulates its processor, so only the ratios mean something, and
 * none of them has a processor's own instructions for ciphers.
 */
const ROUNDS = 3;
const BYTES = 4_000_000;
const LONGEST_MS = 25 * 60_000;
const ENGINE = "/usr/local/bin/krug-engine";

const WAYS = ["kernel", "engine", "userspace networking"] as const;
type Way = (typeof WAYS)[number];

await ensureInstalled();
const reason = (await leftOut(["soak"])).get("soak");
if (reason) {
  console.log(`The kernel's WireGuard is not measured: ${reason}.`);
  process.exit();
}
await prepareBench(LONGEST_MS);
const vps = await startKernelHost({ password: "root's own password" });
try {
  await bench();
} finally {
  await vps.stop();
}
process.exit();

async function bench(): Promise<void> {
  const { network } = vps;
  const client = network.clients[0]!;
  await lab.startServices(network.target, { tcp: [80] });
  await network.target.exec("ip", ["route", "add", "10.0.0.0/8", "via", lab.HOST_SECOND_ADDRESS]);
  await vps.exec("sysctl -qw net.ipv4.ip_forward=1");
  await putProgram(vps, "/usr/bin/wg");
  await put(vps, ENGINE, brotliDecompressSync(await readFile(`${ROOT}engine/built/krug-engine-amd64.br`)));
  const measured = nothingMeasured(WAYS);
  const files: [Way, string][] = [];
  for (const [place, way] of WAYS.entries()) {
    const tunnel = newInterface(`wg${place}`, 51820 + place, `10.8.${place}`);
    const device = newDevice(tunnel, 2);
    await startServer(way, tunnel, device);
    files.push([way, device.file]);
  }
  // The first round only warms up.
  for (let round = -1; round < ROUNDS; round += 1)
    for (const [way, file] of files) {
      const device = await connect(client, file);
      const first = await firstAnswer(client);
      const { download, upload } = await transfer(client, BYTES);
      await device.kill();
      if (round < 0) continue;
      measured[way].first.push(first);
      measured[way].download.push(download);
      measured[way].upload.push(upload);
    }
  printWays(measured, "engine", { "userspace networking": "≥ 0.50×" });
}

async function startServer(way: Way, tunnel: DesiredInterface, { peer }: Device): Promise<void> {
  const { name, addresses } = tunnel;
  const own = way === "userspace networking" ? "--userspace-networking" : "";
  if (way === "kernel") await vps.exec(`ip link add ${name} type wireguard`);
  else await vps.exec(`systemd-run --quiet ${ENGINE} --foreground --type wireguard ${own} ${name}`);
  const configure = () =>
    vps.exec(`wg setconf ${name} <(cat)`, { stdin: serverFile(tunnel, peer) }).then(
      () => true,
      () => false,
    );
  await lab.until(`${way} answers`, configure, 60_000);
  if (way === "userspace networking") {
    const ask = `perl -MIO::Socket::UNIX -e 'my $s = IO::Socket::UNIX->new(Peer => "/var/run/wireguard/${name}.sock") or die; local $/; print $s <STDIN>; $s->flush; local $/ = "\\n\\n"; print scalar <$s>'`;
    const answer = await vps.exec(ask, { stdin: `network=1\n${JSON.stringify(networkSettings(tunnel))}\n\n` });
    if (answer !== "errno=0\n\n") throw new Error(`no settings: ${answer}`);
    return;
  }
  for (const address of addresses) await vps.exec(`ip address add ${address} dev ${name}`);
  await vps.exec(`ip link set dev ${name} mtu 1420 up`);
}
