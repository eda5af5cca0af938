import type { DesiredInterface, DesiredPeer } from "@krug/wireguard/interface";
import { asPrivateKey, type PrivateKey } from "@krug/wireguard/key-text";
import { generateKeyPair, publicKeyOf } from "@krug/wireguard/keys";
import { describe, expect, test } from "vitest";
import { makeMemoryEngines } from "../../testing/memory-engines.ts";
import { makeMemoryMachine } from "../../testing/memory-machine.ts";
import { makeEngineHost, makeHost } from "./driver.ts";
import { type DesiredHost, HostRefused, NO_ACCESS_RULES } from "./host.ts";
import { ProgramFailed } from "./machine.ts";
import { makeOwnHost } from "./own-host.ts";

const ENGINE = "/opt/krug/krug-engine-amd64";
const FOLDER = "/data/engines";
const SOCKET = `${FOLDER}/wireguard/wg0.sock`;
const own = {
  links: () => [{ name: "eth0", addresses: ["192.0.2.1/24"] }],
  addressTowards: async (destination: string) => (destination.includes(":") ? null : "192.0.2.1"),
};
const newPeer = (last: number): DesiredPeer => ({
  publicKey: generateKeyPair().publicKey,
  presharedKey: null,
  allowedIps: [`10.8.0.${last}/32`],
});
const newInterface = (name: string, listenPort: number, network: string, peers: DesiredPeer[]): DesiredInterface => ({
  name,
  listenPort,
  ...generateKeyPair(),
  addresses: [`${network}.1/24`],
  mtu: null,
  peers,
});
const [anna, boris] = [newPeer(2), newPeer(3)];
const wg0 = newInterface("wg0", 51820, "10.8.0", [anna, boris]);
const wg1 = newInterface("wg1", 51821, "25.1.0", []);
const desiredHost = (...interfaces: DesiredInterface[]): DesiredHost => ({
  interfaces,
  ownKeys: [wg0.publicKey, wg1.publicKey],
  closedTcpPorts: [25],
  openPorts: [{ protocol: "tcp", port: 443 }],
  access: NO_ACCESS_RULES,
});
const hexOf = (key: string) => Buffer.from(key, "base64").toString("hex");

async function standing(...interfaces: DesiredInterface[]) {
  const machine = makeMemoryEngines();
  const host = makeEngineHost(machine, { engine: ENGINE, folder: FOLDER, own });
  await host.apply(desiredHost(...interfaces));
  await host.read();
  machine.asked.length = 0;
  const rulesOf = (path = SOCKET) => JSON.parse(machine.engines.get(path)?.network ?? "null");
  return { machine, host, rulesOf };
}

describe("a machine with nothing but the panel's engine", () => {
  test("runs tunnels, and reports that without a program", async () => {
    const { host } = await standing();
    expect(await host.inspect()).toMatchObject({ backend: "netstack", missing: [], amneziawg: { lacks: null } });
    expect(await host.occupied()).toMatchObject({ interfaceNames: ["eth0"], subnets: ["192.0.2.1/24"] });
    expect(await host.defaultEndpoint()).toBe("192.0.2.1");
  });

  test("reaches the desired state, and gets two requests per interface in a round that changes nothing", async () => {
    const { machine, host } = await standing(wg0);
    expect([...(machine.engines.get(SOCKET)?.peers.keys() ?? [])]).toEqual(
      [anna, boris].map(({ publicKey }) => hexOf(publicKey)),
    );
    expect(await host.apply(desiredHost(wg0))).toMatchObject({ addedPeers: [], removedPeers: [], conflicts: [] });
    expect([...machine.asked].sort()).toEqual(["get=1", "network?=1"]);
  });

  test("gets complete rules: what is closed to everybody, other interfaces' networks, and its own name servers", async () => {
    const { machine, host, rulesOf } = await standing(wg0);
    machine.files.set("/proc/net/udp", "  sl  local_address\n   1: 010200C0:0035 00000000:0000 07\n");
    await host.apply(desiredHost(wg0, wg1));
    expect(rulesOf()).toMatchObject({
      addresses: ["10.8.0.1/24"],
      mtu: 1420,
      closedTcpPorts: [25],
      openPorts: [{ protocol: "tcp", port: 443 }],
      nameServers: ["192.0.2.1"],
      access: { everyone: { allowed: [], denied: [] }, groups: [] },
    });
    expect(rulesOf().closedNetworks).toEqual(expect.arrayContaining(["10.0.0.0/8", "fc00::/7", "25.1.0.0/24"]));
  });

  test("has its rules before a new peer, and a peer's removal before anything that fails later", async () => {
    const { machine, host } = await standing(wg0);
    const access = { everyone: { allowed: [], denied: ["203.0.113.0/24"] }, groups: [] };
    await host.apply({ ...desiredHost({ ...wg0, peers: [anna, boris, newPeer(4)] }), access });
    const changes = machine.asked.filter((each) => each === "set=1" || each === "network=1");
    expect(changes).toEqual(["network=1", "set=1"]);
  });

  test("rules that an engine refuses open no new tunnel, and still remove peers", async () => {
    const { machine, host } = await standing(wg0);
    machine.refuse = (question) => (question.startsWith("network=1") ? -22 : undefined);
    const applied = await host.apply({ ...desiredHost({ ...wg0, peers: [boris] }, wg1), closedTcpPorts: [26] });
    expect(applied.firewallFailure).toContain("EINVAL");
    expect(applied.conflicts.map(({ name, reason }) => [name, reason])).toEqual([
      ["wg0", "failed"],
      ["wg1", "failed"],
    ]);
    expect(applied.removedPeers.map(({ publicKey }) => publicKey)).toEqual([anna.publicKey]);
    expect([...machine.engines.keys()]).toEqual([SOCKET]);
  });

  test("access rules are replaced without reading peers; two groups cannot claim one device", async () => {
    const { machine, host, rulesOf } = await standing(wg0);
    const group = { allowed: [], denied: ["203.0.113.7/24"], sources: ["10.8.0.2"] };
    await host.applyAccess({ everyone: { allowed: [], denied: [] }, groups: [group] });
    expect(machine.asked).toEqual(["network=1"]);
    expect(rulesOf().access.groups).toEqual([{ ...group, denied: ["203.0.113.0/24"] }]);
    const both = { everyone: { allowed: [], denied: [] }, groups: [group, group] };
    await expect(host.applyAccess(both)).rejects.toBeInstanceOf(HostRefused);
    expect(rulesOf().access.groups).toHaveLength(1);
  });

  test("limits speeds in each engine, all by the same counts, and asks for no change twice", async () => {
    const { machine, host } = await standing(wg0, wg1);
    const speeds = [{ key: "anna", mbit: 10, sources: ["10.8.0.2", "FD00::0002", "25.1.0.9"] }];
    const desired = { ...desiredHost(wg0, wg1), speeds };
    expect((await host.apply(desired)).speedFailure).toBeNull();
    const [line, other] = [...machine.engines.values()].map((engine) => engine.speeds);
    expect(other).toBe(line);
    const entry = { bucket: expect.any(Number), mbit: 10, sources: ["10.8.0.2", "fd00::2", "25.1.0.9"] };
    expect(JSON.parse(line ?? "")).toEqual({ file: `${FOLDER}/speeds`, limits: [entry] });
    machine.asked.length = 0;
    await host.apply(desired);
    expect(new Set(machine.asked)).toEqual(new Set(["get=1", "network?=1"]));
    await host.applySpeeds([{ ...speeds[0]!, mbit: 4 }]);
    expect(machine.asked.filter((each) => each === "speeds=1")).toHaveLength(2);
    await host.apply(desiredHost(wg0, wg1));
    expect(JSON.parse(machine.engines.get(SOCKET)?.speeds ?? "").limits).toEqual([]);
  });

  test("tells which limits are not in force, also to a process that only looks", async () => {
    const { machine, host } = await standing(wg0, wg1);
    const speeds = ["anna", "boris"].map((key, at) => ({ key, mbit: 10, sources: [`10.8.0.${at + 2}`] }));
    expect(await host.lackingSpeeds(speeds)).toBe(2);
    await host.apply({ ...desiredHost(wg0, wg1), speeds });
    const next = makeEngineHost(machine, { engine: ENGINE, folder: FOLDER, own });
    expect(await next.lackingSpeeds(speeds)).toBe(0);
    expect(await next.lackingSpeeds([speeds[0]!, { ...speeds[1]!, mbit: 5 }])).toBe(1);
    machine.engines.get(SOCKET)!.speeds = "";
    expect(await next.lackingSpeeds(speeds)).toBe(2);
    await host.apply({ ...desiredHost(wg0, wg1), speeds });
    expect(await next.lackingSpeeds(speeds)).toBe(0);
  });

  test("an engine of an older version limits nobody, which is said, and nothing else is disturbed", async () => {
    const { machine, host } = await standing(wg0, wg1);
    machine.engines.get(SOCKET)!.speeds = null;
    const speeds = [{ key: "anna", mbit: 10, sources: ["10.8.0.2"] }];
    const applied = await host.apply({ ...desiredHost(wg0, wg1), speeds });
    expect([applied.speedFailure, applied.conflicts]).toEqual([expect.stringContaining("speeds.older_engine"), []]);
    expect(applied.speedFailure).toContain("wg0");
    expect(await host.lackingSpeeds(speeds)).toBe(1);
    expect(machine.engines.get(SOCKET.replace("wg0", "wg1"))?.speeds).toContain("10.8.0.2");
    expect((await host.apply(desiredHost(wg0, wg1))).speedFailure).toBeNull();
  });

  test("counters get a new life with a new engine, and the last ones of an ended tunnel are reported", async () => {
    const { machine, host } = await standing(wg0);
    const lifeOf = async () => (await host.read())[0]?.life;
    const first = await lifeOf();
    expect(first).toMatch(/^[\w+/]{16}$/);
    expect(await lifeOf()).toBe(first);
    machine.engines.delete(SOCKET);
    expect((await host.apply(desiredHost(wg0))).addedPeers).toHaveLength(2);
    expect(await lifeOf()).not.toBe(first);
    machine.engines.get(SOCKET)?.peers.set(hexOf(anna.publicKey), ["rx_bytes=500", "tx_bytes=900"]);
    expect((await host.apply(desiredHost())).removedPeers).toContainEqual(
      expect.objectContaining({ publicKey: anna.publicKey, rxBytes: 500, txBytes: 900 }),
    );
    expect(machine.engines.size).toBe(0);
  });

  test("a new panel finds its engines and touches nothing", async () => {
    const { machine } = await standing(wg0);
    const next = makeEngineHost(machine, { engine: ENGINE, folder: FOLDER, own });
    expect(await next.apply(desiredHost(wg0))).toMatchObject({ addedPeers: [], removedPeers: [], conflicts: [] });
    expect(machine.asked.filter((each) => !/^(get|network\?)=1$/.test(each))).toEqual([]);
  });
});

describe("the panel's own machine", () => {
  /** With both ways; the kernel's lacks its firewall until it is provided. */
  async function twoWays() {
    const kernel = makeMemoryMachine((key) => publicKeyOf(asPrivateKey(key) as PrivateKey));
    const { findProgram } = kernel;
    let hasFirewall = false;
    kernel.findProgram = async (program) => (program === "nft" && !hasFirewall ? null : findProgram(program));
    kernel.trouble = (command) => {
      if (command.startsWith("nft") && !hasFirewall) throw new ProgramFailed("nft", "not_found", null, "ENOENT");
      return undefined;
    };
    const engines = makeMemoryEngines();
    const makePanel = () =>
      makeOwnHost(makeHost(kernel), makeEngineHost(engines, { engine: ENGINE, folder: FOLDER, own }));
    const install = (is = true) => {
      hasFirewall = is;
    };
    return { kernel, engines, makePanel, install };
  }

  test("runs tunnels in engines, and in the kernel as soon as a check finds what was missing", async () => {
    const { kernel, engines, makePanel, install } = await twoWays();
    const host = makePanel();
    expect(await host.inspect()).toMatchObject({
      backend: "netstack",
      missing: [{ code: "no_nftables" }],
      install: "apt-get install -y wireguard-tools nftables iproute2",
    });
    await host.apply(desiredHost(wg0));
    engines.engines.get(SOCKET)?.peers.get(hexOf(anna.publicKey))?.splice(1, 2, "rx_bytes=500", "tx_bytes=900");
    install();
    expect(await host.inspect()).toMatchObject({ backend: "kernel", missing: [], install: null });
    const { removedPeers, addedPeers, seen } = await host.apply(desiredHost(wg0));
    expect(engines.engines.size).toBe(0);
    expect(removedPeers).toContainEqual(
      expect.objectContaining({ publicKey: anna.publicKey, rxBytes: 500, txBytes: 900 }),
    );
    expect(addedPeers).toHaveLength(2);
    expect(seen).toBeNull();
    expect(kernel.tunnels.get("wg0")).toMatchObject({ listenPort: "51820", privateKey: wg0.privateKey });
    expect(await host.apply(desiredHost(wg0))).toMatchObject({ addedPeers: [], removedPeers: [] });
  });

  test("loses no counter if the better way fails at first", async () => {
    const { kernel, makePanel, install } = await twoWays();
    const host = makePanel();
    await host.apply(desiredHost(wg0));
    install();
    await host.inspect();
    kernel.trouble = (command) => {
      if (command.includes("show all dump")) throw new ProgramFailed("wg", "timeout", null, "");
      return undefined;
    };
    const failure = await host.apply(desiredHost(wg0)).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      done: { removedPeers: [{ publicKey: anna.publicKey }, { publicKey: boris.publicKey }] },
    });
  });

  test("keeps the kernel's tunnels if their firewall is missing for a moment, or since the last panel", async () => {
    const { kernel, engines, makePanel, install } = await twoWays();
    install();
    const first = makePanel();
    await first.inspect();
    await first.apply(desiredHost(wg0));
    install(false);
    expect((await first.inspect()).backend).toBeNull();
    for (const host of [first, makePanel()]) {
      if (host !== first) expect((await host.inspect()).backend).toBe("netstack");
      const { conflicts } = await host.apply(desiredHost({ ...wg0, peers: [boris] }));
      expect(conflicts.map(({ reason }) => reason)).toEqual(["failed"]);
    }
    expect([...(kernel.tunnels.get("wg0")?.peers.keys() ?? [])]).toEqual([boris.publicKey]);
    expect(engines.asked.filter((each) => each.startsWith("start"))).toEqual([]);
  });

  test("a read-only panel tries nothing", async () => {
    const { kernel, engines, makePanel, install } = await twoWays();
    await makePanel().apply(desiredHost(wg0));
    install();
    kernel.commands.length = 0;
    expect((await makePanel().look()).interfaces.map(({ name }) => name)).toEqual(["wg0"]);
    expect(kernel.commands).toEqual([]);
    expect(engines.engines.size).toBe(1);
  });
});
