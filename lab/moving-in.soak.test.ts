import { parseConfig } from "@krug/wireguard/config-text";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT } from "../scripts/command.mjs";
import { newDevice, newInterface } from "./club-wire.ts";
import * as lab from "./network.ts";
import { type LabPanel, setUpAdmin, startPanel, type Visitor } from "./panel.ts";

/* A club of 60 devices moves in from wg-quick by `krug import`, and back, and no device is touched. */
const DEVICES = 60;
const TARGET = `http://${lab.TARGET_ADDRESS}/`;
const BYTES = 40_000_000;
const QUICK = { WG_QUICK_USERSPACE_IMPLEMENTATION: "wireguard-go" };
const old = newInterface("wg7", 51900, "10.9.0");
const devices = Array.from({ length: DEVICES }, (_, at) => newDevice(old, at + 2));
const [ours] = devices as [(typeof devices)[number]];

let network: lab.LabNetwork;
let panel: LabPanel;
let admin: Visitor;
let tunnel: lab.Tunnel;

beforeAll(async () => {
  network = await lab.makeNetwork({ clients: 1 });
  const { host, target } = network;
  await lab.startServices(target, { tcp: [80] });
  const peers = devices.map(
    ({ peer }, at) =>
      `# BEGIN_PEER device-${at + 1}\n[Peer]\nPublicKey = ${peer.publicKey}\nPresharedKey = ${peer.presharedKey}\nAllowedIPs = ${peer.allowedIps.join(", ")}\n# END_PEER\n`,
  );
  const file =
    `[Interface]\nAddress = 10.9.0.1/24\nPrivateKey = ${old.privateKey}\nListenPort = 51900\n` +
    "PostUp = sysctl -q net.ipv4.ip_forward=1; nft add table ip old; nft add chain ip old out '{ type nat hook postrouting priority srcnat; }'; nft add rule ip old out ip saddr 10.9.0.0/24 masquerade\n" +
    `PostDown = nft delete table ip old\n${peers.join("")}`;
  await host.exec("mount", ["-t", "tmpfs", "-o", "mode=700", "tmpfs", "/etc/wireguard"]);
  await host.exec("tee", ["/etc/wireguard/wg7.conf"], { stdin: file });
  const privateKey = parseConfig(ours.file).privateKey;
  await host.exec("mount", ["-t", "tmpfs", "tmpfs", "/root"]);
  const own = `[Interface]\nPrivateKey = ${privateKey}\n[Peer]\nPublicKey = ${old.publicKey}\nEndpoint = 192.0.2.1:51900\n`;
  await host.exec("tee", ["/root/device-1.conf"], { stdin: own });
  await host.exec("wg-quick", ["up", "wg7"], { env: QUICK });
  panel = await startPanel(network, host);
  ({ admin } = await setUpAdmin(panel));
  tunnel = await lab.tunnelUp(network, network.clients[0]!, ours.file);
  await lab.until("the device reaches the target", reaches, 40_000);
});
afterAll(() => network?.close());

const reaches = async () => (await lab.fetchFrom(network.clients[0]!, TARGET)) !== null;
const krug = (...args: string[]) =>
  network.host.attempt(process.execPath, [`${ROOT}apps/server/dist/cli.js`, "import", ...args], {
    env: {
      DATA_DIR: panel.dataDir,
      MACHINE_DIR: `${network.folder}/machine-${network.host.name}`,
      LANG: "C",
      ...QUICK,
    },
    timeoutMs: 200_000,
  });
const moved = async () =>
  (await admin.ask("GET /admin/servers/interfaces")).find(({ subnet }) => subnet === "10.9.0.0/24") ?? null;

test("it finds the interface and all its devices, says what stays behind, and changes nothing", async () => {
  // Peers are listed in any order.
  const settings = async () => (await network.host.exec("wg", ["showconf", "wg7"])).split("\n").sort();
  const before = await settings();
  const { stdout, exitCode, stderr } = await krug();
  expect([exitCode, stderr.replace(/^Database.*\n/, "")]).toEqual([0, ""]);
  expect(stdout).toMatch(/^wg7: WireGuard, 10\.9\.0\.0\/24, 51900\/udp\n/);
  expect(stdout.match(/device-\d+/g)).toHaveLength(DEVICES);
  expect(stdout.match(/key only on the device/g)).toHaveLength(DEVICES - 1);
  expect(stdout).toContain("stays behind: PostUp, PostDown");
  for (const { privateKey } of [old, { privateKey: parseConfig(ours.file).privateKey! }])
    expect(stdout + stderr + panel.output()).not.toContain(privateKey);
  expect(await settings()).toEqual(before);
  expect(await moved()).toBeNull();
});

test("it takes the club over in the middle of a download, and gives each new member a link", async () => {
  const { handshakeAt } = await tunnel.state();
  const download = lab.fetchFrom(network.clients[0]!, `${TARGET}?bytes=${BYTES}`, 90);
  const day = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
  const { stdout, stderr, exitCode } = await krug("wg7", "--new-members", day, "--yes");
  expect([exitCode, stderr.replace(/^Database.*\n/, "")]).toEqual([0, ""]);
  expect(stdout.match(/\/password#user=device-/g)).toHaveLength(DEVICES);
  expect((await download)?.length).toBeGreaterThan(BYTES);
  expect((await tunnel.state()).handshakeAt).toBeGreaterThanOrEqual(handshakeAt);
  expect(await moved()).toMatchObject({
    interfaceName: "wg7",
    conflict: null,
    configCount: DEVICES,
    peerCount: DEVICES,
  });
  await network.host.exec("nft", ["delete", "table", "ip", "old"]);
  await lab.until("only the panel's firewall serves it", reaches, 40_000);
});

test("a second import waits until the first may not go back any more", async () => {
  expect(await krug("wg7", "--yes")).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("--back") });
});

test("it goes back: the old program serves the same device with its same file", async () => {
  const { stdout, stderr, exitCode } = await krug("--back", "--yes");
  expect([exitCode, stderr.replace(/^Database.*\n/, "")]).toEqual([0, ""]);
  expect(stdout).toContain("wg7 serves its devices again");
  expect(await moved()).toBeNull();
  expect((await network.host.exec("wg", ["show", "wg7", "peers"])).trim().split("\n")).toHaveLength(DEVICES);
  await lab.until("the device reaches the target again", reaches, 60_000);
  expect(await krug("--back", "--yes")).toMatchObject({ exitCode: 1 });
});
