import { parseConfig } from "@krug/wireguard/config-text";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newDevice, newInterface } from "./club-wire.ts";
import * as lab from "./network.ts";
import { type LabPanel, setUpAdmin, startPanel, type Visitor } from "./panel.ts";
import { doStep, STEPS } from "./set-up.ts";
import { startVps, type Vps } from "./vps.ts";

/*
 * A rented server where angristan's script has served a club of 60 devices by wg-quick. The panel is elsewhere, sets the server up
 * beside it, and takes the club over by SSH. No device is touched.
 */
const PASSWORD = "root's own password";
const DEVICES = 60;
const TARGET = `http://${lab.TARGET_ADDRESS}/`;
const BYTES = 40_000_000;
const old = newInterface("wg7", 51900, "10.9.0");
const devices = Array.from({ length: DEVICES }, (_, at) => newDevice(old, at + 2));
const [ours] = devices as [(typeof devices)[number]];

let vps: Vps;
let panel: LabPanel;
let admin: Visitor;
let id: string;
let tunnel: lab.Tunnel;

beforeAll(async () => {
  vps = await startVps({ password: PASSWORD });
  await lab.startServices(vps.network.target, { tcp: [80] });
  await vps.exec(
    "apt-get -q update && DEBIAN_FRONTEND=noninteractive apt-get -q install --yes --no-install-recommends wireguard-tools wireguard-go nftables",
    { timeoutMs: 400_000 },
  );
  // As the script writes them: '### Client NAME' above a peer, and the device's own file in root's folder.
  const peers = devices.map(
    ({ peer }, at) =>
      `\n### Client device-${at + 1}\n[Peer]\nPublicKey = ${peer.publicKey}\nPresharedKey = ${peer.presharedKey}\nAllowedIPs = ${peer.allowedIps.join(", ")}\n`,
  );
  const file =
    `[Interface]\nAddress = 10.9.0.1/24\nListenPort = 51900\nPrivateKey = ${old.privateKey}\n` +
    "PostUp = sysctl -q net.ipv4.ip_forward=1; nft add table ip old; nft add chain ip old out '{ type nat hook postrouting priority srcnat; }'; nft add rule ip old out ip saddr 10.9.0.0/24 masquerade\n" +
    `PostDown = nft delete table ip old\n${peers.join("")}`;
  await vps.exec("cat > /etc/wireguard/wg7.conf && chmod 600 /etc/wireguard/wg7.conf", { stdin: file });
  const own = `[Interface]\nPrivateKey = ${parseConfig(ours.file).privateKey}\nAddress = ${ours.address}/32\nDNS = 1.1.1.1\n\n[Peer]\nPublicKey = ${old.publicKey}\nEndpoint = ${lab.HOST_ADDRESS}:51900\nAllowedIPs = 0.0.0.0/0\n`;
  await vps.exec("cat > /root/wg7-client-device-1.conf", { stdin: own });
  await vps.exec("systemctl enable --now wg-quick@wg7");
  panel = await startPanel(vps.network, vps.network.internet, { env: { LOCAL_SERVER: "off" } });
  ({ admin } = await setUpAdmin(panel));
  const credentials = { host: lab.HOST_ADDRESS, port: 22, username: "root", password: PASSWORD };
  ({ id } = await admin.ask("POST /admin/servers", { body: { name: "Осло", credentials } }));
  await admin.ask("PUT /admin/servers/{id}/setup", { params: { id }, body: { tunnelsIn: "system" } });
  for (const step of STEPS) expect(await doStep(admin, id, step), step).toMatchObject({ success: true });
  tunnel = await lab.tunnelUp(vps.network, vps.network.clients[0]!, ours.file);
  await serves("the device reaches the target through the old program");
}, 900_000);
afterAll(() => vps?.stop());

const serves = (what: string) =>
  lab.until(what, async () => (await lab.fetchFrom(vps.network.clients[0]!, TARGET)) !== null, 60_000);
const params = () => ({ params: { id } });
const state = async () => (await admin.ask("GET /admin/servers/{id}/old-programs", params())).moved;
const becomes = (wanted: string) =>
  lab.until(`the import is ${wanted}`, async () => (await state())?.state === wanted, 150_000);
const moved = async () =>
  (await admin.ask("GET /admin/servers/interfaces")).find(({ subnet }) => subnet === "10.9.0.0/24") ?? null;
const unit = async () => (await vps.exec("systemctl is-enabled wg-quick@wg7 || true")).trim();

async function take() {
  const found = await admin.ask("POST /admin/servers/{id}/old-programs/preview", {
    ...params(),
    body: { program: "wg7" },
  });
  return admin.ask("POST /admin/servers/{id}/old-programs/take", {
    ...params(),
    body: {
      program: "wg7",
      publicKey: found.publicKey,
      newMembersUntil: new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10),
      devices: found.devices.map((device) => ({
        publicKey: device.publicKey,
        ...(device.suggestedOwner === null
          ? { newMember: { username: device.suggestedUsername } }
          : { userId: device.suggestedOwner.id }),
        name: device.suggestedName,
        deviceType: "computer" as const,
      })),
    },
  });
}

test("it is found with all its devices, names and the keys beside it, and nothing changes", async () => {
  const before = (await vps.exec("wg showconf wg7")).split("\n").sort();
  const { programs } = await admin.ask("POST /admin/servers/{id}/old-programs/find", params());
  expect(programs).toMatchObject([
    { name: "wg7", startedBy: "wg-quick", isRunning: true, found: { subnet: "10.9.0.0/24", devices: DEVICES } },
  ]);
  const found = await admin.ask("POST /admin/servers/{id}/old-programs/preview", {
    ...params(),
    body: { program: "wg7" },
  });
  expect(found.devices.map(({ name }) => name)).toContain("device-60");
  expect(found.devices.filter(({ hasPrivateKey }) => hasPrivateKey)).toHaveLength(1);
  expect(found).toMatchObject({ runsAs: "wg7", ignored: expect.arrayContaining(["PostUp", "PostDown"]) });
  expect(JSON.stringify(found) + panel.output()).not.toContain(old.privateKey);
  expect((await vps.exec("wg showconf wg7")).split("\n").sort()).toEqual(before);
});

test("it is taken over in the middle of a download, which goes on, and its files serve afterwards", async () => {
  const { handshakeAt } = await tunnel.state();
  const download = lab.fetchFrom(vps.network.clients[0]!, `${TARGET}?bytes=${BYTES}`, 120);
  await take();
  await becomes("done");
  expect((await download)?.length).toBeGreaterThan(BYTES);
  expect((await tunnel.state()).handshakeAt).toBeGreaterThanOrEqual(handshakeAt);
  expect(await moved()).toMatchObject({ interfaceName: "wg7", conflict: null, configCount: DEVICES });
  expect(await unit()).toBe("disabled");
  const { invited } = await admin.ask("POST /admin/servers/{id}/old-programs/links", params());
  expect(invited).toHaveLength(DEVICES);
  await vps.exec("nft delete table ip old");
  await serves("only the panel's firewall serves it");
});

test("it goes back: wg-quick serves the same device with its same file", async () => {
  await admin.ask("POST /admin/servers/{id}/old-programs/back", params());
  await becomes("left");
  expect(await moved()).toBeNull();
  expect(await unit()).toBe("enabled");
  expect((await vps.exec("wg show wg7 peers")).trim().split("\n")).toHaveLength(DEVICES);
  await serves("the device reaches the target through the old program again");
});

test("a panel that is killed in the middle goes on once it is back, and nobody becomes a member twice", async () => {
  const members = async () => (await admin.ask("GET /users", { query: { limit: 200 } })).length;
  const before = await members();
  await take();
  await panel.end("SIGKILL");
  await panel.start();
  await becomes("done");
  expect(await moved()).toMatchObject({ interfaceName: "wg7", conflict: null, configCount: DEVICES });
  expect(await members()).toBe(before);
  await serves("the device reaches the target through the club's interface");
});
