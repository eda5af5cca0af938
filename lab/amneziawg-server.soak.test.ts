import { randomInt, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { reasonText } from "@krug/domain/reasons";
import { amneziaMtu } from "@krug/wireguard/amneziawg";
import { generateProfile } from "@krug/wireguard/amneziawg-generator";
import { writeAmneziaConfig } from "@krug/wireguard/amneziawg-text";
import { parseConfig } from "@krug/wireguard/config-text";
import type { DesiredInterface } from "@krug/wireguard/interface";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tearDown } from "../apps/server/src/hosts/driver.ts";
import { type Remote, SshFailure } from "../apps/server/src/hosts/remote.ts";
import { ENGINE_PATH } from "../apps/server/src/hosts/ssh/engine.ts";
import { newSshKey } from "../apps/server/src/hosts/ssh/new-key.ts";
import { makeRemotes } from "../apps/server/src/hosts/ssh/remotes.ts";
import { packagedServerPrograms } from "../apps/server/src/installation.ts";
import { OWN_ENGINE } from "../scripts/engine.mjs";
import { type AmneziaClient, amneziaUp } from "./amnezia-client.ts";
import { desiredHost, NOTHING_DONE, newDevice, newInterface, withPeers } from "./club-wire.ts";
import * as lab from "./network.ts";
import { GENERATION } from "./ssh-host.ts";
import { startVps, type Vps } from "./vps.ts";

const TARGET = `http://${lab.TARGET_ADDRESS}/`;
const PASSWORD = "root's own password";
const ACCOUNT = "root";
const BOOT_PATIENCE_MS = 60_000;

describe.skipIf(!existsSync(OWN_ENGINE))("a fresh server over SSH with AmneziaWG 3.1", () => {
  let vps: Vps;
  let remote: Remote;
  let client: AmneziaClient;
  const key = newSshKey();
  let login: { password: string } | { privateKey: string } = { password: PASSWORD };
  const remoteWith = (x64: string | null) =>
    makeRemotes(packagedServerPrograms(), Date.now, { x64, arm64: x64, isForAmneziaAlone: false }).open(async () => {
      if (vps === undefined) throw new SshFailure("closed");
      const { host, port, fingerprint: hostKey } = vps;
      return {
        host,
        port,
        username: ACCOUNT,
        login,
        hostKey,
        isPrepared: "privateKey" in login,
        generation: GENERATION,
      };
    });

  const profile = generateProfile("3.1", "dns", randomInt);
  const plain = newInterface("awg0", 51820);
  const tunnel: DesiredInterface = { ...plain, type: "amneziawg", parameters: profile.parameters };
  const anna = newDevice(tunnel, 2);
  const base = desiredHost(withPeers(tunnel, anna));
  const file = writeAmneziaConfig({ ...parseConfig(anna.file), mtu: amneziaMtu(profile), profile });
  const at = () => vps.network.clients[0]!;
  const connects = () =>
    lab.until("the device reaches the target", async () => (await lab.fetchFrom(at(), TARGET)) !== null, 60_000);
  const running = async () => (await remote.host.read()).find(({ name }) => name === "awg0");
  /** Everything that the panel may leave behind for this kind of tunnel. */
  const traces = () =>
    vps.exec(
      "find /usr/local/lib/krug /var/lib/krug /run/amneziawg /etc/systemd/system/krug* 2>/dev/null; ip -o link | grep awg; ip rule | grep blackhole; nft list tables 2>/dev/null; pgrep -a amneziawg; true",
    );

  beforeAll(async () => {
    vps = await startVps({ password: PASSWORD });
    await lab.startServices(vps.network.target, { tcp: [80] });
    remote = remoteWith(OWN_ENGINE);
    await remote.prepare(key.publicKey, null);
    login = { privateKey: key.privateKey };
    remote.close();
    for (const name of ["docker", "wireguard"] as const) {
      const lines: string[] = [];
      const step = { runId: randomUUID(), name, place: "system" as const, heard: 0 };
      await remote.follow(step, (line) => lines.push(line), new AbortController().signal);
      expect(lines.at(-1), lines.join("\n")).toBe("#krug done");
    }
  });
  afterAll(async () => {
    remote?.close();
    await vps?.stop();
  });

  test("can have such tunnels before its engine is installed, unless the panel has none for it", async () => {
    expect((await remote.host.inspect()).amneziawg).toEqual({ lacks: null, module: null });
    const poor = remoteWith(null);
    const { lacks } = (await poor.host.inspect()).amneziawg;
    expect(lacks && reasonText(lacks, "en")).toMatch(/no engine for .*ENGINES/);
    // Reported for the interface if the kernel runs others, else for the machine.
    const why = await poor.host.apply(base).then(
      ({ conflicts: [held] }) => held && reasonText(held.why, "en"),
      ({ message }: Error) => message,
    );
    expect(why).toMatch(/no engine for .*ENGINES/);
    poor.close();
    expect(await vps.exec(`ls ${ENGINE_PATH}* 2>/dev/null; true`)).toBe("");
  });

  test("gets the engine with its first tunnel, through which a device reaches the internet", async () => {
    expect(await remote.host.apply(base)).toMatchObject({ ...NOTHING_DONE, addedPeers: [{}] });
    expect(await vps.exec(`stat --format='%a %U' ${ENGINE_PATH}; ls ${ENGINE_PATH}*`)).toBe(
      `755 root\n${ENGINE_PATH}\n`,
    );
    expect((await running())?.parameters).toMatchObject(profile.parameters);
    client = await amneziaUp(at(), OWN_ENGINE, file);
    await connects();
    expect(await remote.host.apply(base)).toMatchObject(NOTHING_DONE);
  });

  test("gets a newer panel's engine without disturbing the running tunnel", async () => {
    const since = async () => vps.exec("stat --format=%i /run/amneziawg/awg0.sock");
    const before = await since();
    const sum = await vps.exec(`sha256sum ${ENGINE_PATH}`);
    await vps.exec(`echo older > ${ENGINE_PATH}.other && mv ${ENGINE_PATH}.other ${ENGINE_PATH}`);
    remote.close();
    remote = remoteWith(OWN_ENGINE);
    expect(await remote.host.apply(base)).toMatchObject(NOTHING_DONE);
    expect(await vps.exec(`sha256sum ${ENGINE_PATH}`)).toBe(sum);
    expect(await since()).toBe(before);
    expect(await lab.fetchFrom(at(), TARGET)).not.toBeNull();
  });

  test("has the same tunnel after a power cut, without a panel", async () => {
    const engineFile = "cat /var/lib/krug/tunnels/awg0.engine 2>/dev/null || true";
    await lab.until("the tunnel is kept", async () => (await vps.exec(engineFile)).includes("allowed_ip="), 30_000);
    expect(await vps.exec(engineFile), "where devices connect from is not kept").not.toContain("endpoint");
    expect(await vps.exec("stat --format=%a /var/lib/krug/tunnels/awg0.engine")).toBe("600\n");
    const before = await running();
    remote.close();
    await vps.reboot();
    await lab.until("its tunnel is up", async () => (await vps.exec("ip -o link")).includes("awg0"), BOOT_PATIENCE_MS);
    const since = Math.floor(Date.now() / 1_000);
    await lab.until("a new handshake", async () => (await client.handshakeAt()) >= since, BOOT_PATIENCE_MS);
    await connects();
    const { parameters, publicKey, listenPort, peers } = (await running())!;
    expect({ parameters, publicKey, listenPort }).toEqual({
      parameters: before?.parameters,
      publicKey: before?.publicKey,
      listenPort: before?.listenPort,
    });
    expect(peers).toMatchObject([{ publicKey: anna.peer.publicKey, presharedKey: anna.peer.presharedKey }]);
    const again = await remote.host.apply(base);
    expect(again).toMatchObject(NOTHING_DONE);
  });

  test("is left without a trace", async () => {
    await tearDown(remote.host, [tunnel.publicKey]);
    const left: string[] = [];
    await remote.leave(ACCOUNT, (line) => left.push(line));
    expect(left.at(-1)).toBe("#krug done");
    expect(await traces()).toBe("");
  });
});
