import { parseConfig } from "@krug/wireguard/config-text";
import { publicKeyOf } from "@krug/wireguard/keys";
import { expect, test } from "vitest";
import type { Namespace } from "./namespace.ts";
import * as lab from "./network.ts";
import { createConfig, invite, type Reached, setUpAdmin, type Visitor } from "./panel.ts";

export const TARGET = `http://${lab.TARGET_ADDRESS}/`;
export const MEGABYTE = 1_000_000;
/** A device whose peer is back starts a handshake 15 s after its last unanswered packet, then every 5 s. */
const DEVICE_PATIENCE_MS = 40_000;
/** The target sees the host's own address, so the answer came back through NAT. */
const HEAD = `target sees ::ffff:${lab.HOST_SECOND_ADDRESS}\n`;

export const keyOf = (file: string) => publicKeyOf(parseConfig(file).privateKey!);

/** Where the tests run. */
export interface Stage {
  /** With two clients; the target serves on TCP 80 and 25, the private network on 80. */
  network: lab.LabNetwork;
  panel: Reached;
  /** Where the panel's tunnels are. */
  at: Pick<Namespace, "attempt">;
  /** Keys of the devices on wg0 there, if `wg` does not see it. */
  devices?(): Promise<string[]>;
  /** What the first admin does before anyone is invited. */
  begin?(admin: Visitor): Promise<unknown>;
}

/**
 * Tests the product's main job, from an invite code to a working tunnel, as people do it: through the panel's API, with its files.
 * Returns what was created, for later tests. `stage` is called when they run.
 */
export function testMainJob(stage: () => Stage) {
  const made = {} as { admin: Visitor; anna: Visitor; config: { id: string }; file: string; tunnel: lab.Tunnel };
  const device = () => stage().network.clients[0]!;
  const job = Object.assign(made, {
    device,
    reaches: async () => (await lab.fetchFrom(device(), TARGET)) !== null,
    connects: () => lab.until("the device reaches the target", () => job.reaches(), DEVICE_PATIENCE_MS),
    stats: () => job.anna.ask("GET /vpn/configs/{id}/stats", { params: { id: job.config.id } }),
    async reconnect(file: string) {
      await job.tunnel?.down();
      job.tunnel = await lab.tunnelUp(stage().network, device(), file);
      return job.tunnel;
    },
    peersOnWire: () => stage().devices?.() ?? lab.devicesOn(stage().at, "wg0"),
    async receive(bytes: number) {
      const received = await lab.fetchFrom(device(), `${TARGET}?bytes=${bytes}`, 20);
      expect(received).toHaveLength(bytes + HEAD.length);
    },
  });

  test("an invited person joins and creates a config, which is on the wire by the time of the answer", async () => {
    const { panel, begin } = stage();
    job.admin = (await setUpAdmin(panel)).admin;
    await begin?.(job.admin);
    job.anna = (await invite(panel, job.admin, "anna")).member;
    const created = await createConfig(job.anna, "laptop");
    expect(created).toMatchObject({
      name: "laptop",
      state: "applied",
      stats: { lastHandshake: null, dataReceived: 0 },
    });
    job.config = created;
    job.file = await job.anna.download(created.id);
    expect(await job.peersOnWire()).toEqual([keyOf(job.file)]);
  });

  test("a device connects with only the file, and the card shows its handshake and bytes", async () => {
    expect(await lab.fetchFrom(device(), TARGET)).toBeNull();
    await job.reconnect(job.file);
    await job.connects();
    expect(await lab.fetchFrom(device(), TARGET)).toBe(HEAD);
    const first = await lab.until("the card shows the handshake", async () => {
      const seen = await job.stats();
      return seen.lastHandshake === null ? null : seen;
    });
    expect(Math.abs(Date.now() - first.lastHandshake!)).toBeLessThan(60_000);

    await job.receive(MEGABYTE);
    const received = await lab.until("the card shows what came", async () => {
      const seen = await job.stats();
      return seen.dataReceived >= first.dataReceived + MEGABYTE ? seen : null;
    });
    // The payload went one way, and only acknowledgements the other.
    expect(received.dataSent).toBeLessThan(first.dataSent + MEGABYTE / 2);
    const upload = ["--silent", "--fail", "--noproxy", "*", "--data-binary", "@-", TARGET];
    expect(await device().exec("curl", upload, { stdin: "x".repeat(MEGABYTE) })).toBe(HEAD);
    await lab.until(
      "the card shows what went",
      async () => (await job.stats()).dataSent >= received.dataSent + MEGABYTE,
    );
  });

  test("from the tunnel a member reaches neither other devices nor the host's own services", async () => {
    const { network, panel } = stage();
    const other = network.clients[1]!;
    const { member: boris } = await invite(panel, job.admin, "boris");
    const borisFile = await boris.download((await createConfig(boris, "phone")).id);
    const address = parseConfig(borisFile).addresses[0]!.replace(/\/.*/, "");
    const second = await lab.tunnelUp(network, other, borisFile);
    await lab.startServices(other, { tcp: [80] });
    await lab.until("boris reaches the target", () => lab.fetchFrom(other, TARGET));
    // All of these places answer someone, so silence can only come from the firewall.
    const open = [lab.PRIVATE_ADDRESS, lab.METADATA_ADDRESS, `${lab.TARGET_ADDRESS}:25`];
    for (const place of open) expect(await lab.fetchFrom(network.host, `http://${place}/`)).not.toBeNull();
    expect(await lab.fetchFrom(other, `http://${address}/`)).toContain("client-2");

    const closed = [...open, address, "10.8.0.1:3001", "192.168.77.1:3001"];
    const answers = await Promise.all(closed.map((place) => lab.fetchFrom(device(), `http://${place}/`)));
    expect(answers).toEqual(closed.map(() => null));
    expect(await job.reaches()).toBe(true);
    await second.down();
  });

  return job;
}
