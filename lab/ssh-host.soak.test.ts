import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HostFailure } from "../apps/server/src/hosts/host.ts";
import { AGENT_PATH } from "../apps/server/src/hosts/ssh/connection.ts";
import { desiredHost, NOTHING_DONE, newDevice, newInterface, withPeers } from "./club-wire.ts";
import * as lab from "./network.ts";
import { hostOverSsh, prepareVps, type SshHost } from "./ssh-host.ts";
import { startVps, type Vps } from "./vps.ts";

const TARGET = `http://${lab.TARGET_ADDRESS}/`;

describe("a fresh server, driven over SSH", () => {
  let vps: Vps;
  let host: SshHost;
  let tunnelOfAnna: lab.Tunnel;
  const tunnel = newInterface("wg0", 51820);
  const anna = newDevice(tunnel, 2);
  const boris = newDevice(tunnel, 3);
  const vera = newDevice(tunnel, 4);
  const base = desiredHost(withPeers(tunnel, anna, boris));
  const change = { interfaceName: "wg0", interfaceKey: tunnel.publicKey, upsert: [], remove: [] };
  const added = ({ peer }: typeof anna) => ({ interfaceKey: tunnel.publicKey, publicKey: peer.publicKey });
  const client = () => vps.network.clients[0]!;
  const reaches = async (url = TARGET) => (await lab.fetchFrom(client(), url)) !== null;
  const reconnect = async (file = anna.file) => {
    await tunnelOfAnna?.down();
    tunnelOfAnna = await lab.tunnelUp(vps.network, client(), file);
    await lab.until("anna reaches the target", () => reaches());
  };
  const programs = () => vps.exec("pgrep -f '[-]-foreground wg'");

  beforeAll(async () => {
    vps = await startVps({ password: "not used here" });
    const [login] = await Promise.all([
      prepareVps(vps),
      lab.startServices(vps.network.target, { tcp: [80, 25] }),
      lab.startServices(vps.network.privateNetwork, { tcp: [80] }),
    ]);
    host = hostOverSsh(vps, login);
  });
  afterAll(async () => {
    host?.close();
    await vps?.stop();
  });

  test("it has all that a server needs, and what is in use there is reported", async () => {
    expect(await host.inspect()).toEqual({
      backend: "userspace",
      missing: [],
      install: null,
      amneziawg: { lacks: expect.anything(), module: null },
      machine: expect.stringMatching(/^\w{64}$/),
    });
    expect(await host.defaultEndpoint()).toBe(lab.HOST_ADDRESS);
    const occupied = await host.occupied();
    expect(occupied.interfaceNames).toEqual(expect.arrayContaining(["lo", "eth0", "eth1", "eth2"]));
    expect(occupied.subnets).toEqual(expect.arrayContaining(["192.168.77.0/24", "fd77::/64"]));
    expect(await host.readMachine()).toMatchObject({ hostName: "vps", address: lab.HOST_ADDRESS });
    expect(await host.read()).toEqual([]);
  });

  test("a member's file is enough for a tunnel through it, to the internet and to nothing else", async () => {
    expect(await reaches()).toBe(false);
    expect(await host.apply(base)).toMatchObject({ ...NOTHING_DONE, addedPeers: [added(anna), added(boris)] });
    await reconnect();
    expect(await lab.fetchFrom(client(), TARGET)).toContain(`target sees ::ffff:${lab.HOST_SECOND_ADDRESS}`);
    expect(await lab.fetchFrom(client(), `http://[${lab.TARGET_ADDRESS_V6}]/`)).toContain(
      "target sees 2001:db8:113::1",
    );
    for (const closed of [lab.PRIVATE_ADDRESS, lab.METADATA_ADDRESS, `${lab.TARGET_ADDRESS}:25`])
      expect(await reaches(`http://${closed}/`), closed).toBe(false);
    const [peer] = (await host.read())[0]?.peers.filter(({ publicKey }) => publicKey === anna.peer.publicKey) ?? [];
    expect(peer?.lastHandshakeAt).toBeGreaterThan(Date.now() - 60_000);
    expect(peer?.txBytes).toBeGreaterThan(0);
  });

  test("a second run changes nothing, and adding and removing peers disturbs nobody", async () => {
    const before = [await programs(), (await tunnelOfAnna.state()).handshakeAt];
    expect(await host.apply(base)).toMatchObject(NOTHING_DONE);
    expect(await host.applyPeers({ ...change, upsert: [vera.peer] })).toEqual({
      addedPeers: [added(vera)],
      removedPeers: [],
    });
    const { removedPeers } = await host.applyPeers({ ...change, remove: [vera.peer.publicKey] });
    expect(removedPeers).toMatchObject([added(vera)]);
    expect(await reaches()).toBe(true);
    expect([await programs(), (await tunnelOfAnna.state()).handshakeAt]).toEqual(before);
  });

  test("no request waits until TCP has acknowledged what came before it", async () => {
    const took: number[] = [];
    for (let round = 0; round < 10; round += 1) {
      const startedAt = performance.now();
      await host.applyPeers({ ...change, upsert: [boris.peer] });
      took.push(performance.now() - startedAt);
    }
    // The delay would be 40 ms.
    expect(Math.min(...took)).toBeLessThan(30);
  });

  test("a small change is one request", async () => {
    await host.read();
    host.asked();
    await host.applyPeers({ ...change, upsert: [boris.peer] });
    expect(host.asked()).toHaveLength(1);
  });

  test("a silenced peer is cut off at once, and back at once", async () => {
    await host.applyPeers({ ...change, silence: [anna.peer.publicKey] });
    expect(await reaches()).toBe(false);
    await host.applyPeers({ ...change, upsert: [anna.peer] });
    await reconnect();
  });

  test("an access rule drops packets as soon as it is applied, and lets them through once it is gone", async () => {
    await host.applyAccess({ everyone: { allowed: [], denied: [`${lab.TARGET_ADDRESS}/32`] }, groups: [] });
    expect(await reaches()).toBe(false);
    await host.applyAccess(base.access);
    expect(await reaches()).toBe(true);
    const only = (address: string) => ({
      everyone: { allowed: [], denied: [] },
      groups: [{ sources: [address], allowed: [], denied: [`${lab.TARGET_ADDRESS}/32`] }],
    });
    await host.applyAccess(only(boris.address));
    expect(await reaches()).toBe(true);
    await host.applyAccess(only(anna.address));
    expect(await reaches()).toBe(false);
    await host.applyAccess(base.access);
  });

  test("a deleted firewall lets nothing through and is restored within a second", async () => {
    await vps.exec("nft delete table inet krug");
    await lab.until("the table is back", async () => (await vps.exec("nft list tables")).includes("inet krug"), 3_000);
    expect(await reaches()).toBe(true);
  });

  test("a connection cut in the middle of changes leaves none half done, and the next call connects again", async () => {
    const others = Array.from({ length: 150 }, (_, index) => newDevice(tunnel, 100 + index));
    const answers = Promise.allSettled(others.map(({ peer }) => host.applyPeers({ ...change, upsert: [peer] })));
    await vps.exec("pkill -f ^sshd:.*root");
    const failed = (await answers).flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
    expect(failed).not.toEqual([]);
    for (const failure of failed) expect(failure).toBeInstanceOf(HostFailure);
    const all = desiredHost(withPeers(tunnel, anna, boris, ...others));
    await lab.until("it is there again", () => host.apply(all).catch(() => null), 20_000);
    const [actual] = await host.read();
    expect(actual?.peers.map(({ publicKey }) => publicKey).sort()).toEqual(
      [anna, boris, ...others].map(({ peer }) => peer.publicKey).sort(),
    );
    expect(await vps.exec("pgrep -fc ^/usr/bin/perl.*krug/agent || true")).toBe("1\n");
    expect((await host.apply(base)).removedPeers).toHaveLength(others.length);
    expect(await reaches()).toBe(true);
  });

  test("calls to a server that falls silent fail, tunnels continue, and it works again once it answers", async () => {
    const nothingBack = "table inet silence { chain input { type filter hook input priority 0; tcp sport 22 drop; }; }";
    await vps.network.internet.exec("nft", ["-f", "-"], { stdin: nothingBack });
    const silentAt = Date.now();
    await expect(host.applyPeers({ ...change, upsert: [vera.peer] })).rejects.toBeInstanceOf(HostFailure);
    expect(Date.now() - silentAt).toBeLessThan(31_000);
    expect(await reaches()).toBe(true);
    await vps.network.internet.exec("nft", ["delete", "table", "inet", "silence"]);
    await lab.until("it is there again", () => host.apply(base).catch(() => null), 20_000);
    expect((await host.read())[0]?.peers).toHaveLength(2);
  });

  test("after a restart one run restores everything, and the same file works", async () => {
    await vps.reboot();
    expect(await vps.exec("ip -br link")).not.toContain("wg0");
    const applied = await lab.until("it is there again", () => host.apply(base).catch(() => null), 20_000);
    expect(applied).toMatchObject({ ...NOTHING_DONE, addedPeers: [added(anna), added(boris)] });
    await reconnect();
    expect(await reaches(`http://${lab.PRIVATE_ADDRESS}/`)).toBe(false);
    expect(await host.apply(base)).toMatchObject(NOTHING_DONE);
  });

  test("a changed host key is noticed, and nothing is sent there", async () => {
    const stranger = hostOverSsh({ ...vps, fingerprint: `SHA256:${"A".repeat(43)}` }, { privateKey: "" });
    await expect(stranger.read()).rejects.toThrow(/shows another key/);
    expect(await vps.exec(`stat -c '%U %a' ${AGENT_PATH}`)).toBe("root 755\n");
  });
});
