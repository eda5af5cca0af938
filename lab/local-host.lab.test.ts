import { reason, reasonLine } from "@krug/domain/reasons";
import { generateKeyPair } from "@krug/wireguard/keys";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NO_ACCESS_RULES } from "../apps/server/src/hosts/host.ts";
import { type Device, desiredHost, NOTHING_DONE, newDevice, newInterface, withPeers } from "./club-wire.ts";
import { type DrivenHost, driveHost, ENGINE_RUNS } from "./driven-host.ts";
import * as lab from "./network.ts";

const TARGET = `http://${lab.TARGET_ADDRESS}/`;
const TARGET_V6 = `http://[${lab.TARGET_ADDRESS_V6}]/`;

describe("a machine with WireGuard, real interfaces and real clients", () => {
  let network: lab.LabNetwork;
  let host: DrivenHost;
  const tunnel = newInterface("wg0", 51820);
  const anna = newDevice(tunnel, 2);
  const boris = newDevice(tunnel, 3);
  const vera = newDevice(tunnel, 4);
  const base = desiredHost(withPeers(tunnel, anna, boris));
  const added = ({ peer }: Pick<Device, "peer">) => ({ interfaceKey: tunnel.publicKey, publicKey: peer.publicKey });

  const pidOf = async (program: string) => (await network.host.attempt("pgrep", ["-f", program])).stdout.trim();
  const reaches = async (url = TARGET) => (await lab.fetchFrom(network.clients[0]!, url)) !== null;
  const reconnect = async (member: Device) => {
    await annasTunnel?.down();
    annasTunnel = await lab.tunnelUp(network, network.clients[0]!, member.file);
  };
  let annasTunnel: lab.Tunnel | null = null;
  const panelOf = (club: string) => driveHost(network.host, "socket", ["env", `LAB_CLUB=${club}`]);

  beforeAll(async () => {
    network = await lab.makeNetwork({ clients: 2 });
    [host] = await Promise.all([
      panelOf("club-a"),
      lab.startServices(network.target, { tcp: [80, 25], udp: [7] }),
      lab.startServices(network.privateNetwork, { tcp: [80] }),
      lab.startServices(network.host, { tcp: [80, 8080] }),
    ]);
  });
  afterAll(() => network?.close());

  test("reports its abilities: the engine here, and nothing missing", async () => {
    expect(await host.inspect()).toMatchObject({ backend: "userspace", missing: [] });
    expect(await host.defaultEndpoint()).toBe(lab.HOST_ADDRESS);
    const occupied = await host.occupied();
    expect(occupied.interfaceNames).toEqual(expect.arrayContaining(["lo", "eth0", "eth1", "eth2"]));
    expect(occupied.subnets).toEqual(expect.arrayContaining(["192.168.77.0/24", "fd77::/64"]));
    expect(await host.read()).toEqual([]);
  });

  test("sets up everything from nothing, and a device reaches the internet with only its file", async () => {
    expect(await lab.fetchFrom(network.clients[0]!, TARGET)).toBeNull();
    expect(await host.apply(base)).toMatchObject({
      ...NOTHING_DONE,
      addedPeers: [added(anna), added(boris)],
    });
    await reconnect(anna);
    const answer = await lab.until("anna reaches the target", () => lab.fetchFrom(network.clients[0]!, TARGET));
    // The host's own address, so the answer came back through NAT.
    expect(answer).toContain(`target sees ::ffff:${lab.HOST_SECOND_ADDRESS}`);
    expect(await lab.fetchFrom(network.clients[0]!, TARGET_V6)).toContain("target sees 2001:db8:113::1");
    const peer = (await host.read())[0]?.peers.find(({ publicKey }) => publicKey === anna.peer.publicKey);
    expect(peer?.lastHandshakeAt).toBeGreaterThan(Date.now() - 60_000);
    expect(peer?.rxBytes).toBeGreaterThan(0);
    expect(peer?.txBytes).toBeGreaterThan(0);
  });

  test("a member reaches the internet and nothing else", async () => {
    const [client, other] = network.clients;
    const second = await lab.tunnelUp(network, other!, boris.file);
    await lab.until("boris reaches the target", () => lab.fetchFrom(other!, TARGET));
    await lab.startServices(other!, { tcp: [80] });
    // The routes exist and the places answer, so silence can only come from the firewall.
    expect(await lab.fetchFrom(network.host, `http://${lab.PRIVATE_ADDRESS}/`)).toContain("private");
    expect(await lab.fetchFrom(network.host, `http://${lab.METADATA_ADDRESS}/`)).toContain("private");
    expect(await lab.fetchFrom(network.host, `http://${lab.TARGET_ADDRESS}:25/`)).toContain("target");
    expect(await lab.fetchFrom(other!, `http://${boris.address}/`)).toContain("client-2");

    const closed = [
      lab.PRIVATE_ADDRESS,
      `[${lab.PRIVATE_ADDRESS_V6}]`,
      lab.METADATA_ADDRESS,
      `${lab.TARGET_ADDRESS}:25`,
      `[${lab.TARGET_ADDRESS_V6}]:25`,
      boris.address,
      `[fd00:ca6c::3]`,
      "10.8.0.1:8080",
      "[fd00:ca6c::1]:8080",
      "192.168.77.1:8080",
    ];
    const answers = await Promise.all(closed.map((place) => lab.fetchFrom(client!, `http://${place}/`)));
    expect(answers).toEqual(closed.map(() => null));

    // Nobody outside reaches a member either, even with a route.
    await network.target.exec("ip", ["route", "add", "10.8.0.0/24", "via", lab.HOST_SECOND_ADDRESS]);
    expect(await lab.fetchFrom(network.target, `http://${boris.address}/`)).toBeNull();
    await network.target.exec("ip", ["route", "del", "10.8.0.0/24"]);

    // A web page on the host's public address stays reachable through the tunnel, and the gateway answers pings.
    expect(await lab.fetchFrom(client!, `http://${lab.HOST_SECOND_ADDRESS}/`)).toContain("host sees");
    await client!.exec("ping", ["-c", "1", "-W", "2", "10.8.0.1"]);
    await second.down();
  });

  test("a second run changes nothing, and adding and removing peers disturbs nobody", async () => {
    const programs = await pidOf(ENGINE_RUNS);
    const rules = await network.host.exec("nft", ["-a", "list", "table", "inet", "krug"]);
    const before = await annasTunnel!.state();
    expect(await host.apply(base)).toMatchObject(NOTHING_DONE);
    expect(await network.host.exec("nft", ["-a", "list", "table", "inet", "krug"])).toBe(rules);

    const change = { interfaceName: "wg0", interfaceKey: tunnel.publicKey };
    expect(await host.applyPeers({ ...change, upsert: [vera.peer], remove: [] })).toEqual({
      addedPeers: [added(vera)],
      removedPeers: [],
    });
    expect(await host.applyPeers({ ...change, upsert: [vera.peer], remove: [] })).toEqual({
      addedPeers: [],
      removedPeers: [],
    });
    // The database does not know vera: the full run removes her.
    expect((await host.apply(base)).removedPeers.map(({ publicKey }) => publicKey)).toEqual([vera.peer.publicKey]);
    expect(await reaches()).toBe(true);
    const after = await annasTunnel!.state();
    expect(after.handshakeAt).toBe(before.handshakeAt);
    expect(await pidOf(ENGINE_RUNS)).toBe(programs);
  });

  test("a removed peer is cut off at once, its last counters are reported, and it works again with the same file", async () => {
    const change = { interfaceName: "wg0", interfaceKey: tunnel.publicKey };
    const { removedPeers } = await host.applyPeers({ ...change, upsert: [], remove: [anna.peer.publicKey] });
    expect(removedPeers).toEqual([
      {
        ...added(anna),
        life: expect.any(String),
        rxBytes: expect.any(Number),
        txBytes: expect.any(Number),
        lastHandshakeAt: expect.any(Number),
      },
    ]);
    const device = await annasTunnel!.state();
    expect(removedPeers[0]?.txBytes).toBe(device.rxBytes);
    expect(await reaches()).toBe(false);
    expect(await host.applyPeers({ ...change, upsert: [anna.peer], remove: [] })).toEqual({
      addedPeers: [added(anna)],
      removedPeers: [],
    });
    await reconnect(anna);
    await lab.until("anna is back", () => reaches());
  });

  test("a silenced peer is cut off at once, and the next full run removes it and reports every byte", async () => {
    const change = { interfaceName: "wg0", interfaceKey: tunnel.publicKey, upsert: [], remove: [] };
    await lab.fetchFrom(network.clients[0]!, `${TARGET}?bytes=100000`, 20);
    const before = await annasTunnel!.state();
    expect(await host.applyPeers({ ...change, silence: [anna.peer.publicKey] })).toEqual({
      addedPeers: [],
      removedPeers: [],
    });
    expect(await reaches()).toBe(false);
    await reconnect(anna);
    expect(await reaches()).toBe(false);
    // Silencing an absent peer does not create it.
    await host.applyPeers({ ...change, silence: [vera.peer.publicKey] });
    const { removedPeers } = await host.apply(desiredHost(withPeers(tunnel, boris)));
    expect(removedPeers.map(({ publicKey }) => publicKey)).toEqual([anna.peer.publicKey]);
    expect(removedPeers[0]?.txBytes).toBeGreaterThanOrEqual(before.rxBytes);
    expect((await host.apply(base)).addedPeers).toEqual([added(anna)]);
    await host.applyPeers({ ...change, silence: [anna.peer.publicKey] });
    // It was there all the time, so its counters continue.
    expect(await host.applyPeers({ ...change, upsert: [anna.peer] })).toEqual({ addedPeers: [], removedPeers: [] });
    await reconnect(anna);
    await lab.until("anna is back", () => reaches());
  });

  test("an interface changed by hand is corrected", async () => {
    const stranger = generateKeyPair().publicKey;
    await network.host.exec("wg", ["set", "wg0", "peer", stranger, "allowed-ips", "10.8.0.99/32"]);
    await network.host.exec("wg", ["set", "wg0", "peer", boris.peer.publicKey, "allowed-ips", "10.8.0.77/32"]);
    await network.host.exec("wg", ["set", "wg0", "listen-port", "40000"]);
    await network.host.exec("ip", ["address", "add", "10.99.0.1/24", "dev", "wg0"]);
    await network.host.exec("ip", ["address", "del", "10.8.0.1/24", "dev", "wg0"]);
    await network.host.exec("ip", ["link", "set", "wg0", "down", "mtu", "1300"]);
    await network.host.exec("nft", ["flush", "chain", "inet", "krug", "from_members"]);
    await network.host.exec("sysctl", ["-q", "-w", "net.ipv4.ip_forward=0", "net.ipv6.conf.all.forwarding=0"]);
    const applied = await host.apply(base);
    expect(applied.removedPeers.map(({ publicKey }) => publicKey)).toEqual([stranger]);
    expect(applied.conflicts).toEqual([]);
    const [actual] = await host.read();
    expect(actual?.listenPort).toBe(51820);
    expect(actual?.peers.find((peer) => peer.publicKey === boris.peer.publicKey)?.allowedIps.sort()).toEqual(
      boris.peer.allowedIps,
    );
    const link = JSON.parse(await network.host.exec("ip", ["-j", "address", "show", "dev", "wg0"]))[0];
    expect(link.mtu).toBe(1420);
    expect(link.addr_info.map((each: { local: string }) => each.local)).toEqual(
      expect.not.arrayContaining(["10.99.0.1"]),
    );
    await reconnect(anna);
    await lab.until("anna reaches the target over v4 and v6", async () => (await reaches()) && reaches(TARGET_V6));
    expect(await reaches(`http://${lab.PRIVATE_ADDRESS}/`)).toBe(false);
    expect(await host.apply(base)).toMatchObject(NOTHING_DONE);
  });

  test.each([
    ["its interface was deleted by hand", async () => void (await network.host.exec("ip", ["link", "del", "wg0"]))],
    ["its program was killed", async () => void (await network.host.exec("pkill", ["-KILL", "-f", ENGINE_RUNS]))],
  ])("a tunnel comes back when %s", async (_, harm) => {
    await harm();
    const applied = await host.apply(base);
    expect(applied).toMatchObject({
      ...NOTHING_DONE,
      addedPeers: base.interfaces[0]?.peers.map((peer) => added({ peer })),
    });
    await reconnect(anna);
    await lab.until("anna is back", () => reaches());
  });

  test("killing the panel ends no tunnel, and the next start finds everything in order", async () => {
    const programs = await pidOf(ENGINE_RUNS);
    const before = await annasTunnel!.state();
    // Ctrl-C reaches everything a terminal started. Tunnels must survive that, too.
    host.process.interrupt();
    await host.process.kill("SIGKILL");
    expect(await reaches()).toBe(true);
    host = await panelOf("club-a");
    expect(await host.apply(base)).toMatchObject(NOTHING_DONE);
    expect(await reaches()).toBe(true);
    expect((await annasTunnel!.state()).handshakeAt).toBe(before.handshakeAt);
    expect(await pidOf(ENGINE_RUNS)).toBe(programs);
  });

  test("a stranger's interface, port and firewall are not changed, and everything else is still applied", async () => {
    const theirs = newInterface("wg7", 51827, "10.77.0");
    await network.host.exec("wireguard-go", ["wg7"]);
    const theirText = `[Interface]\nPrivateKey = ${theirs.privateKey}\nListenPort = 51827\n`;
    await network.host.exec("bash", ["-c", "wg setconf wg7 <(cat)"], { stdin: theirText });
    await network.host.exec("wg", ["set", "wg7", "peer", generateKeyPair().publicKey, "allowed-ips", "10.77.0.5/32"]);
    await network.host.exec("ip", ["link", "set", "wg7", "up"]);
    await network.host.exec("nft", ["add", "table", "inet", "theirs"]);
    const before = await network.host.exec("wg", ["show", "wg7", "dump"]);

    const applied = await host.apply(
      desiredHost(
        ...base.interfaces,
        newInterface("wg7", 51830, "10.8.7"),
        newInterface("wg8", 51827, "10.8.8"),
        newInterface("eth0", 51831, "10.8.9"),
        newInterface("wg9", 51832, "10.8.10"),
      ),
    );
    expect((await network.host.exec("wg", ["show", "interfaces"])).trim().split(/\s+/).sort()).toEqual([
      "wg0",
      "wg7",
      "wg9",
    ]);
    const [busy] = applied.conflicts.filter((each) => each.reason === "port_busy");
    expect(busy && reasonLine(busy.why, "en")).toMatch(
      /^the UDP port 51827 is in use by wireguard-go \(process \d+\)$/,
    );
    expect(applied.conflicts.map(({ name, reason }) => [name, reason])).toEqual([
      ["wg7", "foreign_interface"],
      ["wg8", "port_busy"],
      ["eth0", "foreign_interface"],
    ]);
    await expect(
      host.applyPeers({ interfaceName: "wg7", interfaceKey: tunnel.publicKey, upsert: [vera.peer], remove: [] }),
    ).rejects.toThrow("has another key");
    await expect(
      host.applyPeers({ interfaceName: "wg5", interfaceKey: tunnel.publicKey, upsert: [vera.peer], remove: [] }),
    ).rejects.toThrow("no interface wg5");
    expect(await network.host.exec("wg", ["show", "wg7", "dump"])).toBe(before);
    expect(await network.host.exec("nft", ["list", "table", "inet", "krug"])).not.toContain("wg7");
    expect(await network.host.exec("nft", ["list", "tables"])).toContain("theirs");
    expect((await host.occupied()).udpPorts).toEqual(expect.arrayContaining([51820, 51827, 51832]));
  });

  test("a network of another device on the machine is left alone until it is free; an existing interface keeps its own", async () => {
    const wished = desiredHost(...base.interfaces, newInterface("wg6", 51833, "10.8.11"));
    const names = async () => (await host.read()).map(({ name }) => name);
    const theirs = (action: "add" | "del") =>
      network.host.exec("ip", ["route", action, "10.8.11.128/25", "dev", "eth1"]);
    await theirs("add");
    expect((await host.apply(wished)).conflicts).toEqual([
      {
        name: "wg6",
        reason: "subnet_busy",
        why: reason("interface.subnet_busy", { network: "10.8.11.128/25", devices: "eth1" }),
      },
    ]);
    expect(await names()).not.toContain("wg6");
    expect(await reaches()).toBe(true);
    await theirs("del");
    expect((await host.apply(wished)).conflicts).toEqual([]);
    expect(await names()).toContain("wg6");
    await theirs("add");
    expect((await host.apply(wished)).conflicts).toEqual([]);
    await theirs("del");
    expect((await host.occupied()).subnets).toContain("10.8.11.0/24");
  });

  test("another firewall that drops forwarded tunnel packets is reported as closed until it lets them through", async () => {
    // As iptables, ufw and Docker configure it.
    const chain = "{ type filter hook forward priority filter; policy drop; }";
    await network.host.exec("nft", ["-f", "-"], { stdin: `table ip filter {\n chain FORWARD ${chain}\n}\n` });
    const refusals = async () => (await host.look()).refusals.map((each) => reasonLine(each, "en"));
    expect(await refusals()).toEqual([expect.stringContaining("FORWARD")]);
    // Only packets make it certain.
    expect(await host.inspect()).toMatchObject({ backend: "userspace", missing: [] });
    const accept = (of: string) =>
      network.host.exec("nft", ["insert", "rule", "ip", "filter", "FORWARD", of, "wg*", "counter", "accept"]);
    await accept("iifname");
    expect(await refusals()).toEqual([expect.stringContaining("the answers")]);
    await accept("oifname");
    expect(await refusals()).toEqual([]);
  });

  test("a panel of another club learns whose machine it is, and changes nothing; the machine's own panel continues", async () => {
    const tableNow = () => network.host.exec("nft", ["--stateless", "list", "table", "inet", "krug"]);
    const rulesNow = () => network.host.exec("ip", ["rule", "show"]);
    const theirs = await panelOf("club-b");
    const theirWish = desiredHost(withPeers(newInterface("wg5", 51825, "10.8.5"), vera));
    const refusedAll = async () => {
      const before = [await tableNow(), await rulesNow()];
      for (const wished of [theirWish, { ...theirWish, interfaces: [] }])
        await expect(theirs.apply(wished)).rejects.toThrow("another club's panel has its tunnels on this machine");
      expect([await tableNow(), await rulesNow()]).toEqual(before);
      expect((await host.read()).map(({ name }) => name)).not.toContain("wg5");
    };
    expect(await tableNow()).toMatch(/chain of_[0-9a-f]{16} \{/);
    await refusedAll();
    expect(await reaches()).toBe(true);
    await theirs.process.kill();
  });

  test("tear-down removes everything of ours and nothing else", async () => {
    const ownKeys = (await host.read()).flatMap(({ name, publicKey }) =>
      publicKey && name !== "wg7" ? [publicKey] : [],
    );
    const applied = await host.apply({
      interfaces: [],
      ownKeys,
      closedTcpPorts: [],
      openPorts: [],
      access: NO_ACCESS_RULES,
    });
    expect(applied.removedPeers.map(({ publicKey }) => publicKey).sort()).toEqual(
      [anna.peer.publicKey, boris.peer.publicKey].sort(),
    );
    expect((await host.read()).map(({ name }) => name)).toEqual(["wg7"]);
    expect(await network.host.exec("nft", ["list", "tables"])).not.toContain("krug");
    expect((await network.host.exec("ls", ["/run/wireguard"])).trim()).toBe("wg7.sock");
  });
});
