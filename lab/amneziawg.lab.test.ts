import { randomInt } from "node:crypto";
import { existsSync } from "node:fs";
import { AMNEZIA_VERSIONS, type AmneziaProfile, type AmneziaVersion, amneziaMtu } from "@krug/wireguard/amneziawg";
import { generateProfile } from "@krug/wireguard/amneziawg-generator";
import { writeAmneziaConfig } from "@krug/wireguard/amneziawg-text";
import { parseConfig } from "@krug/wireguard/config-text";
import type { DesiredInterface } from "@krug/wireguard/interface";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OWN_ENGINE as engine } from "../scripts/engine.mjs";
import { type AmneziaClient, amneziaUp, askEngine } from "./amnezia-client.ts";
import { type Device, desiredHost, NOTHING_DONE, newDevice, newInterface, withPeers } from "./club-wire.ts";
import { type DrivenHost, driveHost } from "./driven-host.ts";
import * as lab from "./network.ts";
import { watchWire } from "./wire-watch.ts";

const TARGET = `http://${lab.TARGET_ADDRESS}/`;

/** A member's file with this profile. */
function fileOf({ file }: Device, profile: AmneziaProfile): string {
  return writeAmneziaConfig({ ...parseConfig(file), mtu: amneziaMtu(profile), profile });
}

/** An interface of a version with two devices. */
function newTunnel(version: AmneziaVersion, name: string, port: number, prefix: string) {
  const profile = generateProfile(version, "dns", randomInt);
  // Trailers give messages any size. Without them the sizes are checked below.
  const { random_trailers: _, ...parameters } = profile.parameters;
  const spread = ["s1", "s2", "s3", "s4"].map((key, place) => [key, String(12 + place)]);
  // Junk of a handshake's size would be mistaken for one, and so would a first packet with random padding.
  const small = { ...parameters, jmin: "40", jmax: "50" };
  const quiet = version === "3.1" ? { ...small, ...Object.fromEntries(spread), content_padding_addition: "0" } : small;
  const bare = newInterface(name, port, prefix);
  const tunnel: DesiredInterface = { ...bare, type: "amneziawg", parameters: quiet };
  const devices = [newDevice(tunnel, 2), newDevice(tunnel, 3)] as const;
  return { profile: { version, parameters: quiet }, tunnel, devices, port };
}

describe.skipIf(!existsSync(engine))("AmneziaWG with our engine", () => {
  let network: lab.LabNetwork;
  let host: DrivenHost;
  let onWire: Awaited<ReturnType<typeof watchWire>>;
  let plainTunnel: lab.Tunnel;
  let plainBefore: { handshakeAt: number; socket: string };
  const clients = {} as Record<AmneziaVersion, AmneziaClient>;
  const of = {
    "2.0": newTunnel("2.0", "awg0", 51820, "10.8.0"),
    "3.1": newTunnel("3.1", "awg1", 51821, "10.8.1"),
  };
  const plain = newInterface("wg0", 51822, "10.8.2");
  const vera = newDevice(plain, 2);
  const place = { "2.0": 0, "3.1": 1 };
  const all = desiredHost(
    ...AMNEZIA_VERSIONS.map((version) => withPeers(of[version].tunnel, ...of[version].devices)),
    withPeers(plain, vera),
  );
  const at = (version: AmneziaVersion) => network.clients[place[version]]!;
  const reaches = async (client: number) => (await lab.fetchFrom(network.clients[client]!, TARGET)) !== null;
  const socketOf = (name: string, type = "amneziawg") =>
    network.host.exec("stat", ["--format=%i", `/var/run/${type}/${name}.sock`]);
  const parametersOf = async (name: string) => (await host.read()).find((each) => each.name === name)?.parameters;

  beforeAll(async () => {
    network = await lab.makeNetwork({ clients: 5 });
    [host] = await Promise.all([
      driveHost(network.host, "socket", [], engine),
      lab.startServices(network.target, { tcp: [80] }),
    ]);
    onWire = await watchWire(network.internet, [51820, 51821, 51822]);
  });
  afterAll(() => network?.close());

  test("interfaces of both versions come up next to a plain one, and a second run changes nothing", async () => {
    expect(await host.inspect()).toMatchObject({ backend: "userspace", missing: [], amneziawg: { lacks: null } });
    expect(await host.apply(all)).toMatchObject({ ...NOTHING_DONE, addedPeers: [{}, {}, {}, {}, {}] });
    const read = await host.read();
    expect(read.map(({ name, type }) => [name, type]).sort()).toEqual([
      ["awg0", "amneziawg"],
      ["awg1", "amneziawg"],
      ["wg0", "wireguard"],
    ]);
    for (const { tunnel, profile } of Object.values(of)) {
      const running = read.find(({ name }) => name === tunnel.name);
      expect(running).toMatchObject({ publicKey: tunnel.publicKey, listenPort: tunnel.listenPort });
      expect(running?.parameters).toMatchObject(profile.parameters);
      expect(await network.host.exec("ip", ["link", "show", tunnel.name])).toContain(`mtu ${amneziaMtu(profile)} `);
    }
    const before = await Promise.all([socketOf("awg0"), socketOf("awg1")]);
    expect(await host.apply(all)).toMatchObject(NOTHING_DONE);
    expect(await Promise.all([socketOf("awg0"), socketOf("awg1")])).toEqual(before);
  });

  test.each(AMNEZIA_VERSIONS)(
    "a device of %s connects with its file, and no packet has WireGuard's size or form",
    async (version) => {
      const { profile, devices, port } = of[version];
      clients[version] = await amneziaUp(at(version), engine, fileOf(devices[0], profile));
      await lab.until("a handshake", async () => (await clients[version].handshakeAt()) > 0);
      expect(await onWire("seen", port)).toBeGreaterThan(2);
      expect(await onWire("sizes", port)).toBe(0);
      await lab.until("the device reaches the target", () => reaches(place[version]));
      expect(await onWire("plain", port)).toBe(0);
    },
  );

  test("the same check does find plain WireGuard, whose tunnel works next to the others", async () => {
    plainTunnel = await lab.tunnelUp(network, network.clients[2]!, vera.file, "plain");
    await lab.until("the plain device reaches the target", () => reaches(2));
    plainBefore = { handshakeAt: (await plainTunnel.state()).handshakeAt, socket: await socketOf("wg0", "wireguard") };
    expect(await onWire("plain", 51822)).toBeGreaterThan(2);
    expect(await onWire("sizes", 51822)).toBeGreaterThan(1);
  });

  test.each(AMNEZIA_VERSIONS)("with a wrong shared value a device of %s does not connect", async (version) => {
    const { profile, devices } = of[version];
    const wrong: Record<string, string> =
      version === "2.0" ? { h2: "1-4" } : { header_protection_key: "ab".repeat(32) };
    const client = network.clients[3 + place[version]]!;
    const parameters = { ...profile.parameters, ...wrong };
    const tunnel = await amneziaUp(client, engine, fileOf(devices[1], { version, parameters }));
    const sent = async () => Number(/^tx_bytes=(\d+)$/m.exec(await tunnel.state())?.[1] ?? 0);
    await lab.until("it has tried", async () => (await sent()) > 0);
    expect(await reaches(3 + place[version])).toBe(false);
    expect(await tunnel.handshakeAt()).toBe(0);
    const peers = (await host.read()).find(({ name }) => name === of[version].tunnel.name)?.peers ?? [];
    const own = peers.find(({ publicKey }) => publicKey === devices[1].peer.publicKey);
    expect(own).toMatchObject({ lastHandshakeAt: null });
  });

  test("a parameter that was changed by hand is corrected without ending the tunnel", async () => {
    const before = await socketOf("awg1");
    await askEngine(network.host, "awg1", "set=1\njc=9\ns4=33\nh2=7\nrekey_timeout=9\ni5=<t>\n\n");
    expect(await parametersOf("awg1")).toMatchObject({ jc: "9", s4: "33", h2: "7", rekey_timeout: "9", i5: "<t>" });
    expect(await host.apply(all)).toMatchObject(NOTHING_DONE);
    expect(await parametersOf("awg1")).toMatchObject({ ...of["3.1"].profile.parameters, i5: "" });
    expect(await socketOf("awg1")).toBe(before);
    await lab.until("the tunnel carries on", () => reaches(1));
  });

  test("a live change of a shared value cuts off only its devices, and their new file reconnects them", async () => {
    const { tunnel, devices, profile } = of["2.0"];
    const own = { s4: profile.parameters.s4 ?? "", h4: profile.parameters.h4 ?? "" };
    const next = { s4: String(Number(own.s4) + 1), h4: "5" };
    const take = (values: typeof own) => askEngine(at("2.0"), "krug", `set=1\ns4=${values.s4}\nh4=${values.h4}\n\n`);
    const before = await socketOf("awg0");
    const changed = desiredHost(
      withPeers({ ...tunnel, parameters: { ...profile.parameters, ...next } }, ...devices),
      ...all.interfaces.filter(({ name }) => name !== "awg0"),
    );
    expect(await host.apply(changed)).toMatchObject(NOTHING_DONE);
    expect(await socketOf("awg0")).toBe(before);
    expect(await Promise.all([reaches(0), reaches(1), reaches(2)])).toEqual([false, true, true]);
    await take(next);
    await lab.until("the device with the new values", () => reaches(0));
    expect(await host.apply(all)).toMatchObject(NOTHING_DONE);
    await take(own);
    await lab.until("the device with the old values", () => reaches(0));
  });

  /** What its device has sent and received, by the engine and by the panel's driver, at one moment. */
  async function countedOn(version: AmneziaVersion) {
    const { devices, tunnel } = of[version];
    const { publicKey } = devices[0].peer;
    const hexKey = Buffer.from(publicKey, "base64").toString("hex");
    const raw = async () => {
      const text = (await askEngine(network.host, tunnel.name, "get=1\n\n")) ?? "";
      const peer = text.slice(text.indexOf(`public_key=${hexKey}`));
      return ["rx", "tx"].map((way) => Number(new RegExp(`^${way}_bytes=(\\d+)$`, "m").exec(peer)?.[1]));
    };
    const peersOf = async () => (await host.read()).find(({ name }) => name === tunnel.name)?.peers;
    // Keepalives continue, so only counters that did not change around the reading can be compared.
    return lab.until("a quiet moment", async () => {
      const [rx = 0, tx = 0] = await raw();
      const read = (await peersOf())?.find((peer) => peer.publicKey === publicKey);
      return String([rx, tx]) === String(await raw()) ? { rx, tx, read } : null;
    });
  }

  test.each(AMNEZIA_VERSIONS)("counters of %s are the engine's, to the byte", async (version) => {
    const { rx, tx, read } = await countedOn(version);
    expect(rx).toBeGreaterThan(500);
    expect(read).toMatchObject({ rxBytes: rx, txBytes: tx });
  });

  test("an interface whose engine was killed comes back whole, without disturbing others", async () => {
    const before = await socketOf("awg1");
    const pids = await network.host.exec("pgrep", ["-f", "--", "--foreground awg0"]);
    for (const pid of pids.trim().split("\n")) await network.host.attempt("kill", ["-9", pid]);
    await lab.until(
      "the link is gone",
      async () => (await network.host.attempt("ip", ["link", "show", "awg0"])).exitCode !== 0,
    );
    await host.apply(all);
    expect(await parametersOf("awg0")).toMatchObject(of["2.0"].profile.parameters);
    expect(await socketOf("awg1")).toBe(before);
    expect(await reaches(1)).toBe(true);
  });

  test("a removed device's last counters are reported", async () => {
    const { devices, tunnel } = of["3.1"];
    const [anna, boris] = devices;
    const { rx } = await countedOn("3.1");
    const { removedPeers } = await host.apply(
      desiredHost(withPeers(tunnel, boris), ...all.interfaces.filter(({ name }) => name !== "awg1")),
    );
    expect(removedPeers.map(({ publicKey }) => publicKey)).toEqual([anna.peer.publicKey]);
    const sent = Number(/^tx_bytes=(\d+)$/m.exec(await clients["3.1"].state())?.[1]);
    // What she sends after that is not counted.
    expect(removedPeers[0]?.rxBytes).toBeGreaterThanOrEqual(rx);
    expect(removedPeers[0]?.rxBytes).toBeLessThanOrEqual(sent);
    expect(await reaches(1)).toBe(false);
    expect(await reaches(2)).toBe(true);
  });

  test("all that time nothing on the wire started like WireGuard's packets, and the plain tunnel was not disturbed", async () => {
    for (const { port } of Object.values(of)) {
      expect(await onWire("seen", port)).toBeGreaterThan(20);
      expect(await onWire("plain", port)).toBe(0);
    }
    const { handshakeAt } = await plainTunnel.state();
    expect({ handshakeAt, socket: await socketOf("wg0", "wireguard") }).toEqual(plainBefore);
  });
});
