import type { PresharedKey } from "@krug/wireguard/key-text";
import { generateKeyPair, generatePresharedKey } from "@krug/wireguard/keys";
import { afterAll, beforeAll, expect, test } from "vitest";
import { desiredHost, newDevice, newInterface, withPeers } from "./club-wire.ts";
import { type DrivenHost, driveHost, ENGINE_RUNS } from "./driven-host.ts";
import type { Namespace } from "./namespace.ts";
import * as lab from "./network.ts";

/* The panel's own handshake against its engine, over a network between machines. */
const PORT = 51820;
let network: lab.LabNetwork;
let host: DrivenHost;
const tunnel = newInterface("wg0", PORT);
const device = newDevice(tunnel, 2);
const panel = generateKeyPair();
const own = { publicKey: panel.publicKey, presharedKey: null as PresharedKey | null, allowedIps: [] };
const base = () => {
  const desired = withPeers(tunnel, device);
  return desiredHost({ ...desired, peers: [...desired.peers, { ...own }] });
};
const greet = async (address = lab.HOST_ADDRESS, at: Namespace = network.clients[0]!) => {
  const keys = { privateKey: panel.privateKey, interfaceKey: tunnel.publicKey, presharedKey: own.presharedKey };
  const greeter = await lab.startScript(at, "./greeter.ts", [address, String(PORT), JSON.stringify(keys)]);
  return lab.until("the greeter is done", () => greeter.output().trim() || null);
};
const firewall = (text: string) => network.host.exec("nft", ["-f", "-"], { stdin: text });
const closing = (how: string) =>
  firewall(`table inet closing { chain input { type filter hook input priority -300; udp dport ${PORT} ${how}; }; }`);
const opening = () => firewall("delete table inet closing");

beforeAll(async () => {
  network = await lab.makeNetwork({ clients: 1 });
  host = await driveHost(network.host);
  await host.apply(base());
});
afterAll(() => network?.close());

test("wireguard-go answers it, with a preshared key too, again and again", async () => {
  expect(await greet()).toBe("answered");
  expect(await greet()).toBe("answered");
  own.presharedKey = generatePresharedKey();
  expect(await greet()).toBe("silent");
  await host.apply(base());
  expect(await greet()).toBe("answered");
});

test("checks of the machine do not see it: no handshake, no byte, nothing to correct", async () => {
  // The program lists them in its own order.
  const peers = async () =>
    (await host.read())[0]?.peers.toSorted((one, other) => one.publicKey.localeCompare(other.publicKey));
  const before = await peers();
  expect(await greet("127.0.0.1", network.host)).toBe("answered");
  expect(await peers()).toEqual(before);
  const peer = before?.find(({ publicKey }) => publicKey === panel.publicKey);
  expect(peer).toMatchObject({ lastHandshakeAt: null, rxBytes: 0, txBytes: 0, hasEndpoint: false, allowedIps: [] });
  expect(await host.apply(base())).toMatchObject({ addedPeers: [], removedPeers: [], conflicts: [] });
});

test("a firewall that drops its port is distinguished from a missing tunnel", async () => {
  await closing("drop");
  expect(await greet()).toBe("silent");
  await opening();
  expect(await greet()).toBe("answered");
  await network.host.exec("pkill", ["-f", ENGINE_RUNS]);
  expect(await greet()).toBe("refused");
  await host.apply(base());
  expect(await greet()).toBe("answered");
});

test("an unreachable address says nothing about the interface", async () => {
  expect(await greet("2001:db8:ffff::1")).toBe("unsent");
});
