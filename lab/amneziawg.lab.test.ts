import { randomInt } from "node:crypto";
import { type AmneziaProfile, amneziaMtu } from "@krug/wireguard/amneziawg";
import { generateProfile } from "@krug/wireguard/amneziawg-generator";
import { writeAmneziaConfig } from "@krug/wireguard/amneziawg-text";
import { parseConfig } from "@krug/wireguard/config-text";
import type { DesiredInterface } from "@krug/wireguard/interface";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ensureEngine, whyNoEngine } from "../scripts/amneziawg.mjs";
import { type AmneziaClient, amneziaUp, askEngine } from "./amnezia-client.ts";
import { type Device, NOTHING_DONE, newDevice, newInterface, wish, withPeers } from "./club-wire.ts";
import { type DrivenHost, driveHost } from "./driven-host.ts";
import * as lab from "./network.ts";

const TARGET = `http://${lab.TARGET_ADDRESS}/`;
const BUILD_WITHIN_MS = 5 * 60_000;
const whyNot = await whyNoEngine();

/** A member's file with this profile. */
function fileOf({ file }: Device, profile: AmneziaProfile): string {
  return writeAmneziaConfig({ ...parseConfig(file), mtu: amneziaMtu(profile), profile });
}

describe.skipIf(whyNot !== null)(`AmneziaWG 2.0 with the engine that we build${whyNot ? ` (${whyNot})` : ""}`, () => {
  let network: lab.LabNetwork;
  let host: DrivenHost;
  let engine: string;
  let annasTunnel: AmneziaClient;
  const profile = generateProfile("2.0", "dns", randomInt);
  const tunnel: DesiredInterface = { ...newInterface("awg0", 51820), parameters: profile.parameters };
  const [anna, boris] = [newDevice(tunnel, 2), newDevice(tunnel, 3)];
  const base = wish(withPeers(tunnel, anna, boris));
  const reaches = async (at = network.clients[0]!) => (await lab.fetchFrom(at, TARGET)) !== null;

  /** Datagrams to and from the server's port: all, and those that begin as WireGuard's do. */
  async function watchWire() {
    const rules = ["dport", "sport"].flatMap((side) => [
      `udp ${side} 51820 counter name seen`,
      `udp ${side} 51820 @th,64,32 { 0x01000000, 0x02000000, 0x03000000, 0x04000000 } counter name plain`,
    ]);
    const chain = ["type filter hook forward priority 0", ...rules].join("\n");
    const table = `table inet watch {\ncounter seen { }\ncounter plain { }\nchain forward {\n${chain}\n}\n}\n`;
    await network.internet.exec("nft", ["-f", "/dev/stdin"], { stdin: table });
  }
  async function onWire(counter: "seen" | "plain") {
    const text = await network.internet.exec("nft", ["list", "counter", "inet", "watch", counter]);
    return Number(/packets (\d+)/.exec(text)?.[1]);
  }

  beforeAll(async () => {
    engine = await ensureEngine();
    network = await lab.makeNetwork({ clients: 3 });
    [host] = await Promise.all([
      driveHost(network.host, "socket", [], engine),
      lab.startServices(network.target, { tcp: [80] }),
    ]);
    await watchWire();
  }, BUILD_WITHIN_MS);
  afterAll(() => network?.close());

  test("an interface comes up with every parameter, and a second run changes nothing", async () => {
    expect(await host.inspect()).toMatchObject({ backend: "userspace", missing: [] });
    expect(await host.apply(base)).toMatchObject({ ...NOTHING_DONE, addedPeers: [{}, {}] });
    const [standing] = await host.read();
    expect(standing).toMatchObject({ name: "awg0", publicKey: tunnel.publicKey, listenPort: 51820 });
    expect(standing?.parameters).toMatchObject(profile.parameters);
    expect(await network.host.exec("ip", ["link", "show", "awg0"])).toContain(`mtu ${amneziaMtu(profile)} `);
    const socket = await network.host.exec("stat", ["--format=%i", "/var/run/amneziawg/awg0.sock"]);
    expect(await host.apply(base)).toMatchObject(NOTHING_DONE);
    expect(await network.host.exec("stat", ["--format=%i", "/var/run/amneziawg/awg0.sock"])).toBe(socket);
  });

  test("a device reaches the internet by its file, and one with another parameter does not connect", async () => {
    const s1 = String(Number(profile.parameters.s1) + 1);
    const wrong: AmneziaProfile = { ...profile, parameters: { ...profile.parameters, s1 } };
    const [client, other] = network.clients;
    [annasTunnel] = await Promise.all([
      amneziaUp(client!, engine, fileOf(anna, profile)),
      amneziaUp(other!, engine, fileOf(boris, wrong)),
    ]);
    expect(await lab.until("anna reaches the target", () => lab.fetchFrom(client!, TARGET))).toContain(
      `target sees ::ffff:${lab.HOST_SECOND_ADDRESS}`,
    );
    const peers = (await host.read())[0]?.peers ?? [];
    const byKey = (device: Device) => peers.find(({ publicKey }) => publicKey === device.peer.publicKey);
    expect(byKey(anna)?.lastHandshakeAt).toBeGreaterThan(Date.now() - 60_000);
    expect(byKey(boris)).toMatchObject({ lastHandshakeAt: null });
    expect(await reaches(other!)).toBe(false);
  });

  test("no datagram begins as one of WireGuard's, which the same look does find", async () => {
    expect(await onWire("seen")).toBeGreaterThan(5);
    expect(await onWire("plain")).toBe(0);
    // A plain WireGuard initiation, so that zero above means something.
    await lab.tunnelUp(network, network.clients[2]!, boris.file, "plain");
    await lab.until("a plain initiation", async () => (await onWire("plain")) > 0);
  });

  test("a parameter that was changed by hand is mended without an end of the tunnel", async () => {
    const socket = await network.host.exec("stat", ["--format=%i", "/var/run/amneziawg/awg0.sock"]);
    await askEngine(network.host, "awg0", "set=1\njc=9\ns4=33\nh2=7\ni5=<t>\n\n");
    expect((await host.read())[0]?.parameters).toMatchObject({ jc: "9", s4: "33", h2: "7", i5: "<t>" });
    expect(await host.apply(base)).toMatchObject(NOTHING_DONE);
    expect((await host.read())[0]?.parameters).toMatchObject({ ...profile.parameters, i5: "" });
    expect(await network.host.exec("stat", ["--format=%i", "/var/run/amneziawg/awg0.sock"])).toBe(socket);
    await lab.until("anna's tunnel carries on", () => reaches());
  });

  test("an engine of 2.0 refuses a profile of 3.1, which stops nobody else and tells no key", async () => {
    const newer = { ...newInterface("awg1", 51821, "10.9.0"), ...generateProfile("3.1", "ordinary", randomInt) };
    const { conflicts } = await host.apply(wish(withPeers(tunnel, anna, boris), newer));
    expect(conflicts).toEqual([
      { name: "awg1", reason: "failed", detail: expect.stringMatching(/refused a change \(errno -22\)$/) },
    ]);
    expect(await reaches()).toBe(true);
    expect(JSON.stringify(conflicts)).not.toContain(newer.parameters.header_protection_key);
  });

  test("counters are the engine's, to the byte, and a removed device's last ones are told", async () => {
    const hexKey = Buffer.from(anna.peer.publicKey, "base64").toString("hex");
    const raw = async () => {
      const text = (await askEngine(network.host, "awg0", "get=1\n\n")) ?? "";
      const peer = text.slice(text.indexOf(`public_key=${hexKey}`));
      return ["rx", "tx"].map((way) => Number(new RegExp(`^${way}_bytes=(\\d+)$`, "m").exec(peer)?.[1]));
    };
    // Keepalives go on, so only what stood still around the reading can be compared.
    const [rx = 0, tx = 0, read] = await lab.until("a quiet moment", async () => {
      const before = await raw();
      const found = (await host.read())[0]?.peers.find(({ publicKey }) => publicKey === anna.peer.publicKey);
      return String(before) === String(await raw()) ? ([before[0], before[1], found] as const) : null;
    });
    expect(rx).toBeGreaterThan(500);
    expect(read).toMatchObject({ rxBytes: rx, txBytes: tx });

    const { removedPeers } = await host.apply(wish(withPeers(tunnel, boris)));
    expect(removedPeers.map(({ publicKey }) => publicKey)).toEqual([anna.peer.publicKey]);
    const sent = Number(/^tx_bytes=(\d+)$/m.exec(await annasTunnel.state())?.[1]);
    // What she sends after that is nobody's.
    expect(removedPeers[0]?.rxBytes).toBeGreaterThanOrEqual(rx);
    expect(removedPeers[0]?.rxBytes).toBeLessThanOrEqual(sent);
    expect(await reaches()).toBe(false);
  });
});
