import { CLOSED_NETWORKS } from "@krug/wireguard/closed-networks";
import type { DesiredInterface, DesiredPeer } from "@krug/wireguard/interface";
import { askEngine } from "../lab/amnezia-client.ts";
import type { Namespace, Started } from "../lab/namespace.ts";
import * as lab from "../lab/network.ts";
import { OWN_ENGINE } from "../scripts/engine.mjs";
import { at, ms, printTable, times } from "./table.ts";

/* A device's speed through servers that run tunnels in different ways. */

export const TARGET = `http://${lab.TARGET_ADDRESS}/`;
const LONGEST_TRANSFER_MS = 60_000;

/** In Mbit/s, and `first` in ms: from a device's start to its first answer. */
export interface Measured {
  first: number[];
  download: number[];
  upload: number[];
}
const nothing = (): Measured => ({ first: [], download: [], upload: [] });
export const nothingMeasured = <Way extends string>(ways: readonly Way[]) =>
  Object.fromEntries(ways.map((way) => [way, nothing()])) as Record<Way, Measured>;

/** What `wg setconf` takes on a server. */
export const serverFile = ({ privateKey, listenPort }: DesiredInterface, peer: DesiredPeer) =>
  `[Interface]\nPrivateKey = ${privateKey}\nListenPort = ${listenPort}\n[Peer]\nPublicKey = ${peer.publicKey}\nPresharedKey = ${peer.presharedKey}\nAllowedIPs = ${peer.allowedIps.join(", ")}\n`;

/** What the engine's userspace networking gets besides keys and peers. */
export const networkSettings = ({ addresses }: DesiredInterface) => ({
  addresses,
  mtu: 1420,
  closedNetworks: CLOSED_NETWORKS.map(({ cidr }) => cidr),
  closedTcpPorts: [25],
  openPorts: [],
  nameServers: [],
  access: { everyone: { allowed: [], denied: [] }, groups: [] },
});

/** A device on the panel's engine, the fastest available here, so that the server is what is measured. */
export async function connect(client: Namespace, file: string): Promise<Started> {
  const value = (key: string) => new RegExp(`^${key} = (.*)$`, "m").exec(file)?.[1] ?? "";
  const started = await client.start(OWN_ENGINE, ["--foreground", "--type", "wireguard", "krug"]);
  await lab.until("the device's engine answers", () => askEngine(client, "krug", "get=1\n\n", "wireguard"));
  await client.exec("ip", ["link", "set", "dev", "krug", "mtu", "1420", "up"]);
  const bare = file.split("\n").filter((line) => !/^(Address|DNS|MTU) /.test(line));
  await client.exec("bash", ["-c", "wg setconf krug <(cat)"], { stdin: bare.join("\n") });
  await client.exec("ip", ["address", "add", value("Address").split(",")[0] ?? "", "dev", "krug"]);
  await client.exec("ip", ["route", "add", `${lab.TARGET_ADDRESS}/32`, "dev", "krug"]);
  return started;
}

export const firstAnswer = async (client: Namespace) => (await told(client, "%{time_total}", [TARGET])) * 1_000;

export async function transfer(client: Namespace, bytes: number): Promise<{ download: number; upload: number }> {
  const download = await told(client, "%{speed_download}", [`${TARGET}?bytes=${bytes}`]);
  const body = "x".repeat(bytes / 2);
  const upload = await told(client, "%{speed_upload}", ["--data-binary", "@-", TARGET], body);
  return { download: toMbits(download), upload: toMbits(upload) };
}

/** A number from curl's report of a request. */
async function told(client: Namespace, what: string, args: string[], stdin = ""): Promise<number> {
  const quiet = ["--silent", "--fail", "--noproxy", "*", "--max-time", "60", "--output", "/dev/null"];
  const timeoutMs = LONGEST_TRANSFER_MS;
  return Number(await client.exec("curl", [...quiet, "--write-out", what, ...args], { stdin, timeoutMs }));
}

const toMbits = (bytesPerSecond: number) => (bytesPerSecond * 8) / 1e6;

/** Each way next to the reference. `target`: what is asked of a way's transfers. */
export function printWays<Way extends string>(
  measured: Record<Way, Measured>,
  reference: NoInfer<Way>,
  target: Partial<Record<NoInfer<Way>, string>> = {},
) {
  const ways = Object.keys(measured) as Way[];
  const mbits = (value: number) => `${value.toFixed(0)} Mbit/s`;
  const rows = (what: string, which: keyof Measured, unit: (value: number) => string, hasTarget: boolean) =>
    ways.map((way) => {
      const [own, beside] = [at(measured[way][which], 0.5), at(measured[reference][which], 0.5)];
      return [
        `${what}, ${way}, p50`,
        unit(own),
        `${reference} ${unit(beside)}`,
        times(own / beside),
        hasTarget ? (target[way] ?? "") : "",
      ];
    });
  printTable([
    ["what", "measured", "beside", "ratio", "target"],
    ...rows("handshake and first answer", "first", ms, false),
    ...rows("download", "download", mbits, true),
    ...rows("upload", "upload", mbits, true),
  ]);
}
