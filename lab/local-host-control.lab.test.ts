import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { median } from "../bench/table.ts";
import { desiredHost, manyPeers, NOTHING_DONE, newDevice, newInterface, withPeers } from "./club-wire.ts";
import { type DrivenHost, driveHost } from "./driven-host.ts";
import * as lab from "./network.ts";

// The kernel's WireGuard is controlled by the `wg` program, the engine by its socket; both must pass the same tests.
describe.each(["program", "socket"] as const)("through the %s", (control) => {
  let network: lab.LabNetwork;
  let host: DrivenHost;
  const tunnel = newInterface("wg0", 51820, "10.9.255");
  const change = { interfaceName: "wg0", interfaceKey: tunnel.publicKey };

  beforeAll(async () => {
    network = await lab.makeNetwork({ clients: 0 });
    host = await driveHost(network.host, control);
  });
  afterAll(() => network?.close());

  test("no secret is ever visible in the process list", async () => {
    const watch = await lab.startScript(network.host, "./process-watch.ts");
    await lab.until("the watch sees", () => watch.output().includes("watching"));
    const device = newDevice(tunnel, 2);
    await host.apply(desiredHost(withPeers(tunnel, device)));
    const secrets = [tunnel.privateKey!, ...device.secrets];
    // The watcher sees short-lived processes only by chance, so the test makes enough of them.
    const proof = control === "program" ? "addconf" : "nft";
    for (let round = 0; round < 10 || (round < 200 && !watch.output().includes(proof)); round += 1) {
      const later = newDevice(tunnel, 3);
      secrets.push(...later.secrets);
      await host.applyPeers({ ...change, upsert: [later.peer], remove: [] });
      await host.applyPeers({ ...change, upsert: [], remove: [later.peer.publicKey] });
      if (control === "socket") await host.inspect();
    }
    await host.apply(desiredHost(tunnel));
    await watch.kill("SIGTERM");
    const seen = watch.output();
    expect(seen).toContain("krug-engine");
    expect(seen).toContain(proof);
    for (const secret of secrets) {
      expect(seen).not.toContain(secret);
      expect(seen).not.toContain(Buffer.from(secret, "base64").toString("hex"));
    }
  });

  test("a peer is added to 1,000 others, changed, and removed", async () => {
    const peers = manyPeers(1_000);
    const full = desiredHost({ ...tunnel, peers });
    const { addedPeers } = await host.apply(full);
    const fullMs = host.lastTookMs();
    expect(addedPeers).toHaveLength(1_000);
    expect(await host.apply(full)).toMatchObject(NOTHING_DONE);
    const nothingMs = host.lastTookMs();

    const [first, ...more] = manyPeers(21).map((peer, index) => ({ ...peer, allowedIps: [`10.9.200.${index}/32`] }));
    const took = { add: [] as number[], remove: [] as number[] };
    for (const peer of more) {
      expect((await host.applyPeers({ ...change, upsert: [peer], remove: [] })).addedPeers).toEqual([
        { interfaceKey: change.interfaceKey, publicKey: peer.publicKey },
      ]);
      took.add.push(host.lastTookMs());
      const { removedPeers } = await host.applyPeers({ ...change, upsert: [], remove: [peer.publicKey] });
      expect(removedPeers).toEqual([
        {
          interfaceKey: change.interfaceKey,
          life: expect.any(String),
          publicKey: peer.publicKey,
          rxBytes: 0,
          txBytes: 0,
          lastHandshakeAt: null,
        },
      ]);
      took.remove.push(host.lastTookMs());
    }
    console.log(
      `1,000 peers through the ${control}: full apply ${fullMs.toFixed(0)} ms, unchanged ${nothingMs.toFixed(0)} ms, ` +
        `add one ${median(took.add).toFixed(1)} ms, remove one ${median(took.remove).toFixed(1)} ms`,
    );

    const silenced = more.slice(0, 3).map(({ publicKey }) => publicKey);
    await host.applyPeers({ ...change, upsert: more.slice(0, 3), remove: [] });
    await host.applyPeers({ ...change, upsert: [], silence: silenced.slice(0, 2), remove: [silenced[2]!] });
    const silent = (await host.read())[0]?.peers.filter(({ allowedIps }) => allowedIps.length === 0) ?? [];
    expect(silent.map(({ publicKey }) => publicKey).sort()).toEqual(silenced.slice(0, 2).sort());
    expect((await host.apply(full)).removedPeers.map(({ publicKey }) => publicKey).sort()).toEqual(
      silenced.slice(0, 2).sort(),
    );

    // New keys in the same place: the old key is removed, its address moves to the new one. A preshared key can be removed.
    const old = peers[0]!;
    const renewed = { ...first!, presharedKey: null, allowedIps: old.allowedIps };
    await host.applyPeers({ ...change, upsert: [{ ...first!, allowedIps: [] }], remove: [] });
    expect(await host.applyPeers({ ...change, upsert: [renewed], remove: [old.publicKey] })).toMatchObject({
      addedPeers: [],
      removedPeers: [{ publicKey: old.publicKey }],
    });
    const now = (await host.read())[0]?.peers ?? [];
    expect(now).toHaveLength(1_000);
    expect(now.find(({ publicKey }) => publicKey === renewed.publicKey)).toMatchObject({
      presharedKey: null,
      allowedIps: old.allowedIps,
    });
  });

  test("many simultaneous changes are all done, one after another", async () => {
    const peers = manyPeers(40).map((peer, index) => ({ ...peer, allowedIps: [`10.9.201.${index}/32`] }));
    await host.apply(desiredHost(tunnel));
    await Promise.all([
      ...peers.map((peer) => host.applyPeers({ ...change, upsert: [peer], remove: [] })),
      host.read(),
      ...peers.slice(0, 20).map((peer) => host.applyPeers({ ...change, upsert: [], remove: [peer.publicKey] })),
    ]);
    const left = ((await host.read())[0]?.peers ?? []).map(({ publicKey }) => publicKey);
    expect(left.sort()).toEqual(
      peers
        .slice(20)
        .map(({ publicKey }) => publicKey)
        .sort(),
    );
  });
});
