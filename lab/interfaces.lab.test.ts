import { randomInt } from "node:crypto";
import { existsSync } from "node:fs";
import { amneziaMtu } from "@krug/wireguard/amneziawg";
import { generateProfile } from "@krug/wireguard/amneziawg-generator";
import { amneziaLines, writeAmneziaConfig } from "@krug/wireguard/amneziawg-text";
import { parseConfig } from "@krug/wireguard/config-text";
import { publicKeyOf } from "@krug/wireguard/keys";
import { afterAll, beforeAll, expect, test } from "vitest";
import { OWN_ENGINE as engine } from "../scripts/engine.mjs";
import { amneziaUp, askEngine } from "./amnezia-client.ts";
import { newDevice, newInterface } from "./club-wire.ts";
import * as lab from "./network.ts";
import { configInputOf, invite, type LabPanel, setUpAdmin, startPanel, type Visitor } from "./panel.ts";

/* The effects of an admin's API calls on interfaces, as seen by the machine and a device. */
let network: lab.LabNetwork;
let panel: LabPanel;
let admin: Visitor;
let anna: Visitor;
let serverId: string;
let made: Awaited<ReturnType<typeof interfaceNamed>>;
let configId: string;
let tunnel: lab.Tunnel | undefined;

const TARGET = `http://${lab.TARGET_ADDRESS}/`;
/** A device whose peer is back starts a handshake 15 s after its last unanswered packet, then every 5 s. */
const DEVICE_PATIENCE_MS = 40_000;
const device = () => network.clients[0]!;
const reaches = async () => (await lab.fetchFrom(device(), TARGET)) !== null;
const connects = () => lab.until("the device reaches the target", reaches, DEVICE_PATIENCE_MS);
const reconnect = async () => {
  await tunnel?.down();
  tunnel = await lab.tunnelUp(network, device(), await anna.download(configId));
};
const onMachine = async () => (await network.host.exec("wg", ["show", "interfaces"])).split(/\s+/).filter(Boolean);
const peersOn = (name: string) => lab.devicesOn(network.host, name);
const interfaceNamed = async (name: string) => {
  const all = await admin.ask("GET /admin/servers/interfaces");
  const found = all.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no interface ${name} among ${all.map((one) => one.name)}`);
  return found;
};
const change = (body: object) =>
  admin.ask("PUT /admin/wireguard/{serverId}/interfaces/{id}", { params: { serverId, id: made.id }, body });

beforeAll(async () => {
  network = await lab.makeNetwork({ clients: 1 });
  [panel] = await Promise.all([startPanel(network, network.host), lab.startServices(network.target, { tcp: [80] })]);
  ({ admin } = await setUpAdmin(panel));
  ({ member: anna } = await invite(panel, admin, "anna"));
  serverId = (await admin.ask("GET /admin/servers"))[0]!.id;
});
afterAll(() => network?.close());

test("a second interface is up by the time of the answer, with its own port, name and network", async () => {
  const { success, interface: answered } = await admin.ask("POST /admin/servers/{serverId}/create-interface", {
    params: { serverId },
    body: { ipv6: true },
  });
  made = answered;
  expect(success).toBe(true);
  expect(made).toMatchObject({ name: "Interface 2", interfaceName: "wg1", subnet: "10.8.1.0/24", conflict: null });
  expect((await onMachine()).sort()).toEqual(["wg0", "wg1"]);
  expect((await network.host.exec("wg", ["show", "wg1", "listen-port"])).trim()).toBe(String(made.listenPort));
  expect(await network.host.exec("ip", ["-4", "address", "show", "dev", "wg1"])).toContain("10.8.1.1/24");
});

test("a config on it carries packets without disturbing the first interface", async () => {
  await admin.ask("POST /admin/servers/interfaces/assign", { body: { userId: "anna", interfaceId: made.id } });
  const input = await configInputOf(anna);
  // The code she joined with assigned her the first one.
  const config = await anna.ask("POST /vpn/configs", { body: { ...input, interfaceId: made.id, name: "laptop" } });
  configId = config.id;
  const file = parseConfig(await anna.download(configId));
  const twin = made.subnetV6?.replace("/64", "2/128");
  expect(file.addresses).toEqual(["10.8.1.2/32", twin]);
  await reconnect();
  await connects();
  expect(await lab.fetchFrom(device(), `http://[${lab.TARGET_ADDRESS_V6}]/`)).toMatch(/target sees 2001:/);
  expect(await peersOn("wg1")).toEqual([publicKeyOf(file.privateKey!)]);
  expect(await peersOn("wg0")).toEqual([]);
  expect(await interfaceNamed("Interface 2")).toMatchObject({ configCount: 1, peerCount: 1, toDownload: 1 });
});

test("switched off it is removed from the machine and cuts the device off; switched on, the same file works again", async () => {
  await change({ isActive: false });
  expect(await onMachine()).toEqual(["wg0"]);
  expect(await reaches()).toBe(false);
  await change({ isActive: true });
  expect((await onMachine()).sort()).toEqual(["wg0", "wg1"]);
  // By itself it would retry 15 s after its last unanswered packet.
  await tunnel?.again();
  await connects();
});

test("a new port listens at once, the card says to download again, and the new file connects", async () => {
  await change({ listenPort: 4500, mtu: 1380 });
  expect((await network.host.exec("wg", ["show", "wg1", "listen-port"])).trim()).toBe("4500");
  expect(await network.host.exec("ip", ["link", "show", "dev", "wg1"])).toContain("mtu 1380");
  expect(await anna.ask("GET /vpn/configs")).toMatchObject([{ needsDownload: true, state: "applied" }]);
  await reconnect();
  await connects();
  expect(parseConfig(await anna.download(configId)).peer?.endpoint?.port).toBe(4500);
});

test("a port or network in use on the machine is refused", async () => {
  await lab.startServices(network.host, { tcp: [], udp: [7777] });
  await expect(change({ listenPort: 7777 })).rejects.toThrow("interface.port_taken");
  await expect(change({ listenPort: 51820 })).rejects.toThrow("interface.port_taken");
  await expect(change({ subnet: "192.168.77.0/24" })).rejects.toThrow(/interface.subnet_(taken|in_use)/);
});

test("live numbers come from the machine", async () => {
  const { stats, status } = await admin.ask("GET /admin/servers/{id}/refresh", { params: { id: serverId } });
  expect(status).toBe("connected");
  expect(stats!.memory.total).toBeGreaterThan(stats!.memory.free);
  expect(stats!.cpu.cores).toBeGreaterThan(0);
  const before = stats!.network_in;
  await lab.fetchFrom(device(), `${TARGET}?bytes=3000000`, 20);
  const after = await admin.ask("GET /admin/servers/{id}/refresh", { params: { id: serverId } });
  expect(after.stats!.network_in - before).toBeGreaterThanOrEqual(0);
  expect(after.stats!.uptime).toBeGreaterThanOrEqual(stats!.uptime);
});

test("deleted with the number of configs confirmed, it is removed from the machine with its config, and its totals stay", async () => {
  const params = { serverId, interfaceId: made.id };
  await expect(admin.ask("DELETE /admin/servers/{serverId}/interfaces/{interfaceId}", { params })).rejects.toThrow(
    "interface.in_use",
  );
  expect(await reaches()).toBe(true);
  await admin.ask("DELETE /admin/servers/{serverId}/interfaces/{interfaceId}", {
    params,
    query: { configs: 1 },
  });
  expect(await onMachine()).toEqual(["wg0"]);
  expect(await reaches()).toBe(false);
  expect(await anna.ask("GET /vpn/configs")).toEqual([]);
});

test("a device that moves has two files that work until it connects with the new one, and every byte is counted once", async () => {
  const { interface: next } = await admin.ask("POST /admin/servers/{serverId}/create-interface", {
    params: { serverId },
    body: {},
  });
  await admin.ask("POST /admin/servers/interfaces/assign", { body: { userId: "anna", interfaceId: next.id } });
  const first = await interfaceNamed("Interface 1");
  const input = { ...(await configInputOf(anna)), interfaceId: first.id, name: "laptop" };
  const { id } = await anna.ask("POST /vpn/configs", { body: input });
  const params = { id };
  const oldFile = await anna.download(id);
  const key = publicKeyOf(parseConfig(oldFile).privateKey!);
  const use = async (file: string) => {
    await tunnel?.down();
    tunnel = await lab.tunnelUp(network, device(), file);
    await connects();
    await lab.fetchFrom(device(), `${TARGET}?bytes=3000000`, 20);
  };
  const sentOn = async (name: string) => {
    const lines = (await network.host.exec("wg", ["show", name, "transfer"])).split("\n");
    return Number(lines.find((line) => line.startsWith(key))?.split("\t")[2]);
  };
  const received = async () => (await anna.ask("GET /vpn/configs/{id}/stats", { params })).dataReceived;
  await use(oldFile);

  const moved = await anna.ask("PUT /vpn/configs/{id}", { params, body: { interfaceId: next.id } });
  expect(moved).toMatchObject({ interfaceId: next.id, state: "applied", moving: { interfaceId: first.id } });
  expect([await peersOn("wg0"), await peersOn(next.interfaceName)]).toEqual([[key], [key]]);
  expect(await reaches()).toBe(true);
  await lab.fetchFrom(device(), `${TARGET}?bytes=3000000`, 20);
  const newFile = await anna.download(id);
  expect(parseConfig(newFile).privateKey).toBe(parseConfig(oldFile).privateKey);
  const carriedBefore = await sentOn("wg0");
  await use(newFile);

  await lab.until("the panel sees that the device has arrived", async () => {
    await anna.ask("GET /vpn/stats");
    return (await anna.ask("GET /vpn/configs"))[0]?.moving === null;
  });
  expect(await reaches()).toBe(true);
  // The machine's own counters of each peer.
  const carried = carriedBefore + (await sentOn(next.interfaceName));
  expect(carried).toBeGreaterThan(9_000_000);
  await lab.until("all bytes are counted", async () => (await received()) >= carried);
  expect((await received()) - carried).toBeLessThan(10_000);

  await tunnel?.down();
  tunnel = await lab.tunnelUp(network, device(), oldFile);
  expect(await reaches()).toBe(false);
  await tunnel.down();
  tunnel = await lab.tunnelUp(network, device(), newFile);
  await connects();
});

test("another program's interface is imported in the middle of its traffic, and no chosen device is dropped", async () => {
  const old = newInterface("wg7", 51900, "10.9.0");
  const [annas, strangers] = [newDevice(old, 7), newDevice(old, 9)];
  const peer = ({ peer }: typeof annas) =>
    `[Peer]\nPublicKey = ${peer.publicKey}\nPresharedKey = ${peer.presharedKey}\nAllowedIPs = ${peer.allowedIps.join(", ")}\n`;
  const settings = `[Interface]\nPrivateKey = ${old.privateKey}\nListenPort = 51900\n`;
  const peers = `# anna\n${peer(annas)}\n# somebody\n${peer(strangers)}`;
  const { host } = network;
  await host.exec("wireguard-go", ["wg7"]);
  await host.exec("bash", ["-c", "wg setconf wg7 <(cat)"], { stdin: settings + peers });
  await host.exec("ip", ["address", "add", "10.9.0.1/24", "dev", "wg7"]);
  await host.exec("ip", ["link", "set", "wg7", "up"]);
  const masquerade = "chain out { type nat hook postrouting priority srcnat; ip saddr 10.9.0.0/24 masquerade; }\n";
  await host.exec("nft", ["-f", "-"], { stdin: `table ip old {\n${masquerade}}\n` });
  await tunnel?.down();
  tunnel = await lab.tunnelUp(network, device(), annas.file);
  await connects();
  await lab.fetchFrom(device(), `${TARGET}?bytes=3000000`, 20);
  const before = await tunnel.state();

  const file = settings.replace("ListenPort", "Address = 10.9.0.1/24\nListenPort") + peers;
  const params = { id: serverId };
  const look = await admin.ask("POST /admin/servers/{id}/moving-in/preview", { params, body: { file, owners: [] } });
  expect(look).toMatchObject({ runsAs: "wg7", listenPort: 51900, devices: [{ name: "anna" }, { name: "somebody" }] });
  const owner = look.devices[0]!.suggestedOwner!;
  // It takes four seconds, with the change in the middle.
  const download = lab.fetchFrom(device(), `${TARGET}?bytes=40000000`, 60);
  const moved = await admin.ask("POST /admin/servers/{id}/moving-in", {
    params,
    body: {
      file,
      devices: [{ publicKey: annas.peer.publicKey, userId: owner.id, name: "old-laptop", deviceType: "computer" }],
    },
  });
  expect(moved.interface).toMatchObject({ interfaceName: "wg7", conflict: null, peerCount: 1 });
  expect(await peersOn("wg7")).toEqual([annas.peer.publicKey]);
  expect((await download)?.length).toBeGreaterThan(40_000_000);
  expect((await tunnel.state()).handshakeAt, "the device has not even noticed").toBe(before.handshakeAt);
  await host.exec("nft", ["delete", "table", "ip", "old"]);
  // Now only the panel's own firewall serves it.
  await connects();
  const config = (await anna.ask("GET /vpn/configs")).find(({ name }) => name === "old-laptop")!;
  expect(config).toMatchObject({ state: "applied", keyOrigin: "browser", services: [] });
  await lab.fetchFrom(device(), `${TARGET}?bytes=3000000`, 20);
  const counted = async () => {
    const { dataReceived } = await anna.ask("GET /vpn/configs/{id}/stats", { params: { id: config.id } });
    return dataReceived > 3_000_000 ? dataReceived : null;
  };
  const dataReceived = await lab.until("what it used since is counted", counted);
  const transfer = (await host.exec("wg", ["show", "wg7", "transfer"])).split("\n");
  const sent = Number(transfer.find((line) => line.startsWith(annas.peer.publicKey))?.split("\t")[2]);
  expect(dataReceived, "what it used before is not the club's").toBeLessThanOrEqual(sent - before.rxBytes);

  await panel.end("SIGTERM");
  await panel.start();
  expect(await peersOn("wg7")).toEqual([annas.peer.publicKey]);
  await connects();
});

test.skipIf(!existsSync(engine))(
  "an AmneziaWG interface on an engine is imported without a new handshake",
  async () => {
    const profile = generateProfile("2.0", "ordinary", randomInt);
    const old = newInterface("awg7", 51910, "10.10.0");
    const annas = newDevice(old, 7);
    const { host } = network;
    const hex = (key: string | null) => Buffer.from(key ?? "", "base64").toString("hex");
    await host.start(engine, ["--foreground", "awg7"], { env: { LOG_LEVEL: "error" } });
    await lab.until("it answers", () => askEngine(host, "awg7", "get=1\n\n"));
    const settings = [
      ["private_key", hex(old.privateKey)],
      ["listen_port", "51910"],
      ...Object.entries(profile.parameters),
      ["public_key", hex(annas.peer.publicKey)],
      ["preshared_key", hex(annas.peer.presharedKey)],
      ...annas.peer.allowedIps.map((network) => ["allowed_ip", network]),
    ];
    const set = `set=1\n${settings.map((pair) => `${pair.join("=")}\n`).join("")}\n`;
    expect(await askEngine(host, "awg7", set)).toBe("errno=0\n\n");
    await host.exec("ip", ["address", "add", "10.10.0.1/24", "dev", "awg7"]);
    await host.exec("ip", ["link", "set", "awg7", "mtu", String(amneziaMtu(profile)), "up"]);
    const masquerade = "chain out { type nat hook postrouting priority srcnat; ip saddr 10.10.0.0/24 masquerade; }\n";
    await host.exec("nft", ["-f", "-"], { stdin: `table ip old {\n${masquerade}}\n` });
    await tunnel?.down();
    tunnel = undefined;
    const config = { ...parseConfig(annas.file), mtu: amneziaMtu(profile), profile };
    const client = await amneziaUp(device(), engine, writeAmneziaConfig(config));
    await connects();
    const before = await client.handshakeAt();
    const socket = () => host.exec("stat", ["--format=%i", "/var/run/amneziawg/awg7.sock"]);
    const socketBefore = await socket();

    const file = [
      `[Interface]\nPrivateKey = ${old.privateKey}\nAddress = 10.10.0.1/24\nListenPort = 51910`,
      ...amneziaLines(profile).map(({ field, text }) => `${field.key} = ${text}`),
      `[Peer]\nPublicKey = ${annas.peer.publicKey}\nPresharedKey = ${annas.peer.presharedKey}`,
      `AllowedIPs = ${annas.peer.allowedIps.join(", ")}\n`,
    ].join("\n");
    const params = { id: serverId };
    const look = await admin.ask("POST /admin/servers/{id}/moving-in/preview", { params, body: { file } });
    expect(look).toMatchObject({ runsAs: "awg7", amneziawg: { version: "2.0", faults: [] } });
    const [owner] = await admin.ask("GET /users", { query: { search: "anna" } as never });
    const download = lab.fetchFrom(device(), `${TARGET}?bytes=40000000`, 60);
    const moved = await admin.ask("POST /admin/servers/{id}/moving-in", {
      params,
      body: {
        file,
        devices: [{ publicKey: annas.peer.publicKey, userId: owner!.id, name: "awg-laptop", deviceType: "computer" }],
      },
    });
    expect(moved.interface).toMatchObject({ type: "amneziawg", interfaceName: "awg7", conflict: null, peerCount: 1 });
    expect((await download)?.length).toBeGreaterThan(40_000_000);
    await host.exec("nft", ["delete", "table", "ip", "old"]);
    await connects();
    expect(await client.handshakeAt(), "the device has not even noticed").toBe(before);
    expect(await socket(), "its engine runs on").toBe(socketBefore);
    const state = (await askEngine(host, "awg7", "get=1\n\n")) ?? "";
    for (const [name, value] of Object.entries(profile.parameters)) expect(state).toContain(`${name}=${value}\n`);
  },
);
