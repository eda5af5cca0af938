import { existsSync } from "node:fs";
import { CLOSED_NETWORKS } from "@krug/wireguard/closed-networks";
import { askEngine } from "../lab/amnezia-client.ts";
import { newDevice, newInterface } from "../lab/club-wire.ts";
import type { Namespace, Started } from "../lab/namespace.ts";
import * as lab from "../lab/network.ts";
import { OWN_ENGINE as engine } from "../scripts/engine.mjs";
import { runInLab } from "./run.ts";
import { at, ms, printTable, times } from "./table.ts";

/*
 * `npm run bench`: the ways to run tunnels if a machine's kernel has no WireGuard: Debian's wireguard-go, the panel's own engine,
 * and that engine's userspace networking. The clients are the same. The ways alternate, so other load affects all of them. The
 * kernel's own WireGuard is not measured: the lab's machines share a kernel that need not have it.
 */
const ROUNDS = 5;
const BYTES = 100_000_000;
const LONGEST_MS = 3 * 60_000;
const TARGET = `http://${lab.TARGET_ADDRESS}/`;

const WAYS = ["wireguard-go", "engine", "userspace networking"] as const;
type Way = (typeof WAYS)[number];
const perWay = <Value>(make: (way: Way) => Value) =>
  Object.fromEntries(WAYS.map((way) => [way, make(way)])) as Record<Way, Value>;

async function bench(network: lab.LabNetwork): Promise<void> {
  const { host, clients } = network;
  await lab.startServices(network.target, { tcp: [80] });
  await host.exec("sysctl", ["-q", "-w", "net.ipv4.ip_forward=1"]);
  await network.target.exec("ip", ["route", "add", "10.0.0.0/8", "via", lab.HOST_SECOND_ADDRESS]);
  const [download, upload, first] = [
    perWay((): number[] => []),
    perWay((): number[] => []),
    perWay((): number[] => []),
  ];
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
      first[way].push((await told(client, "%{time_total}", [TARGET])) * 1_000);
      if (round < ROUNDS - 1) await up.kill();
    }
  // The first round only warms up.
  for (let round = -1; round < ROUNDS; round += 1)
    for (const { way, client } of ready) {
      const down = toMbits(await told(client, "%{speed_download}", [`${TARGET}?bytes=${BYTES}`]));
      const body = "x".repeat(BYTES / 2);
      const up = toMbits(await told(client, "%{speed_upload}", ["--data-binary", "@-", TARGET], body));
      if (round >= 0) {
        download[way].push(down);
        upload[way].push(up);
      }
    }
  print(first, download, upload);
}

async function startServer(
  host: Namespace,
  way: Way,
  tunnel: ReturnType<typeof newInterface>,
  { peer }: ReturnType<typeof newDevice>,
): Promise<void> {
  const { name, listenPort, privateKey } = tunnel;
  const own = way === "userspace networking" ? ["--userspace-networking"] : [];
  if (way === "wireguard-go") await host.start("wireguard-go", ["--foreground", name]);
  else await host.start(engine, ["--foreground", "--type", "wireguard", ...own, name]);
  await lab.until(`${way} answers`, () => askEngine(host, name, "get=1\n\n", "wireguard"));
  const file = `[Interface]\nPrivateKey = ${privateKey}\nListenPort = ${listenPort}\n[Peer]\nPublicKey = ${peer.publicKey}\nPresharedKey = ${peer.presharedKey}\nAllowedIPs = ${peer.allowedIps.join(", ")}\n`;
  await host.exec("bash", ["-c", `wg setconf ${name} <(cat)`], { stdin: file });
  if (way === "userspace networking") {
    const settings = {
      addresses: tunnel.addresses,
      mtu: 1420,
      closedNetworks: CLOSED_NETWORKS.map(({ cidr }) => cidr),
      closedTcpPorts: [25],
      openPorts: [],
      nameServers: [],
      access: { everyone: { allowed: [], denied: [] }, groups: [] },
    };
    const answer = await askEngine(host, name, `network=1\n${JSON.stringify(settings)}\n\n`, "wireguard");
    if (answer !== "errno=0\n\n") throw new Error(`no settings: ${answer}`);
    return;
  }
  for (const address of tunnel.addresses) await host.exec("ip", ["address", "add", address, "dev", name]);
  await host.exec("ip", ["link", "set", "dev", name, "mtu", "1420", "up"]);
}

/** A device on the panel's engine, the fastest available here, so that the server is what is measured. */
async function connect(client: Namespace, file: string): Promise<Started> {
  const value = (key: string) => new RegExp(`^${key} = (.*)$`, "m").exec(file)?.[1] ?? "";
  const started = await client.start(engine, ["--foreground", "--type", "wireguard", "krug"]);
  await lab.until("the device's engine answers", () => askEngine(client, "krug", "get=1\n\n", "wireguard"));
  await client.exec("ip", ["link", "set", "dev", "krug", "mtu", "1420", "up"]);
  const bare = file.split("\n").filter((line) => !/^(Address|DNS|MTU) /.test(line));
  await client.exec("bash", ["-c", "wg setconf krug <(cat)"], { stdin: bare.join("\n") });
  await client.exec("ip", ["address", "add", value("Address").split(",")[0] ?? "", "dev", "krug"]);
  await client.exec("ip", ["route", "add", `${lab.TARGET_ADDRESS}/32`, "dev", "krug"]);
  return started;
}

/** A number from curl's report of a request. */
async function told(client: Namespace, what: string, args: string[], stdin = ""): Promise<number> {
  const quiet = ["--silent", "--fail", "--noproxy", "*", "--max-time", "60", "--output", "/dev/null"];
  return Number(await client.exec("curl", [...quiet, "--write-out", what, ...args], { stdin, timeoutMs: 60_000 }));
}

const toMbits = (bytesPerSecond: number) => (bytesPerSecond * 8) / 1e6;

function print(first: Record<Way, number[]>, download: Record<Way, number[]>, upload: Record<Way, number[]>) {
  const mbits = (value: number) => `${value.toFixed(0)} Mbit/s`;
  const rows = (what: string, of: Record<Way, number[]>, unit: (value: number) => string, target: string) =>
    WAYS.map((way) => {
      const [own, beside] = [at(of[way], 0.5), at(of.engine, 0.5)];
      const isTold = way === "userspace networking";
      return [`${what}, ${way}, p50`, unit(own), `engine ${unit(beside)}`, times(own / beside), isTold ? target : ""];
    });
  printTable([
    ["what", "measured", "beside", "ratio", "target"],
    ...rows("handshake and first answer", first, ms, ""),
    ...rows("download", download, mbits, "≥ 0.50×"),
    ...rows("upload", upload, mbits, "≥ 0.50×"),
  ]);
}

if (existsSync(engine)) await runInLab(bench, LONGEST_MS, { clients: WAYS.length });
else console.log("The ways are not measured: this processor has no engine.");
