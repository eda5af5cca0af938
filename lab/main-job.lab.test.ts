import { parseConfig } from "@krug/wireguard/config-text";
import { publicKeyOf } from "@krug/wireguard/keys";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openSqlite } from "../apps/server/src/platform/database/sqlite.ts";
import * as lab from "./network.ts";
import {
  createConfig,
  invite,
  type LabPanel,
  PASSWORD,
  setUpAdmin,
  startPanel,
  type Visitor,
  wishOf,
} from "./panel.ts";

const TARGET = `http://${lab.TARGET_ADDRESS}/`;
const MEGABYTE = 1_000_000;
/** A device whose peer is back starts a handshake 15 s after its last unanswered packet, then every 5 s. */
const DEVICE_PATIENCE_MS = 40_000;

let deletedByHand: Promise<void>;
beforeAll(() => {
  deletedByHand = deleteInterfaceByHand();
  // Until its own test awaits the outcome.
  deletedByHand.catch(() => undefined);
});

/** The product's main job, as people do it: through the built panel's API, with the files it gives. */
describe("from an invite code to a working tunnel", () => {
  let network: lab.LabNetwork;
  let panel: LabPanel;
  let admin: Visitor;
  let anna: Visitor;
  let config: { id: string; name: string };
  let file: string;
  let tunnel: lab.Tunnel;

  const device = () => network.clients[0]!;
  const reaches = async (url = TARGET) => (await lab.fetchFrom(device(), url)) !== null;
  const connects = () => lab.until("the device reaches the target", () => reaches(), DEVICE_PATIENCE_MS);
  const stats = () => anna.ask("GET /vpn/configs/{id}/stats", { params: { id: config.id } });
  const reconnect = async (text: string) => {
    await tunnel?.down();
    tunnel = await lab.tunnelUp(network, device(), text);
  };
  const peersOnWire = () => lab.devicesOn(network.host, "wg0");
  const keyOf = (text: string) => publicKeyOf(parseConfig(text).privateKey!);
  const receive = async (bytes: number) =>
    expect(await lab.fetchFrom(device(), `${TARGET}?bytes=${bytes}`, 20)).toHaveLength(bytes + HEAD.length);
  const HEAD = `target sees ::ffff:${lab.HOST_SECOND_ADDRESS}\n`;
  const tunnelPrograms = async () => (await network.host.attempt("pgrep", ["wireguard-go"])).stdout;

  beforeAll(async () => {
    network = await lab.makeNetwork({ clients: 2 });
    [panel] = await Promise.all([
      startPanel(network, network.host),
      lab.startServices(network.target, { tcp: [80, 25] }),
      lab.startServices(network.privateNetwork, { tcp: [80] }),
    ]);
  });
  afterAll(() => network?.close());

  test("an invited person joins and makes a config, which is on the wire by the time of the answer", async () => {
    ({ admin } = await setUpAdmin(panel));
    ({ member: anna } = await invite(panel, admin, "anna"));
    const created = await createConfig(anna, "laptop");
    expect(created).toMatchObject({
      name: "laptop",
      state: "applied",
      stats: { lastHandshake: null, dataReceived: 0 },
    });
    config = created;
    file = await anna.download(created.id);
    expect(await peersOnWire()).toEqual([keyOf(file)]);
  });

  test("the file alone connects a device, and the card shows its handshake and bytes", async () => {
    expect(await lab.fetchFrom(device(), TARGET)).toBeNull();
    await reconnect(file);
    await connects();
    // The host's own address, so the answer came back through NAT.
    expect(await lab.fetchFrom(device(), TARGET)).toBe(HEAD);
    const first = await lab.until("the card shows the handshake", async () => {
      const seen = await stats();
      return seen.lastHandshake === null ? null : seen;
    });
    expect(Math.abs(Date.now() - first.lastHandshake!)).toBeLessThan(60_000);

    await receive(MEGABYTE);
    const received = await lab.until("the card shows what came", async () => {
      const seen = await stats();
      return seen.dataReceived >= first.dataReceived + MEGABYTE ? seen : null;
    });
    // The payload went one way, and only acknowledgements the other.
    expect(received.dataSent).toBeLessThan(first.dataSent + MEGABYTE / 2);
    const upload = ["--silent", "--fail", "--noproxy", "*", "--data-binary", "@-", TARGET];
    expect(await device().exec("curl", upload, { stdin: "x".repeat(MEGABYTE) })).toBe(HEAD);
    await lab.until("the card shows what went", async () => (await stats()).dataSent >= received.dataSent + MEGABYTE);
  });

  test("from the tunnel a member reaches neither other devices nor the host's own services", async () => {
    const other = network.clients[1]!;
    const { member: boris } = await invite(panel, admin, "boris");
    const borisFile = await boris.download((await createConfig(boris, "phone")).id);
    const address = parseConfig(borisFile).addresses[0]!.replace(/\/.*/, "");
    const second = await lab.tunnelUp(network, other, borisFile);
    await lab.startServices(other, { tcp: [80] });
    await lab.until("boris reaches the target", () => lab.fetchFrom(other, TARGET));
    // All of them answer someone, so silence can only come from the firewall.
    const open = [lab.PRIVATE_ADDRESS, lab.METADATA_ADDRESS, `${lab.TARGET_ADDRESS}:25`];
    for (const place of open) expect(await lab.fetchFrom(network.host, `http://${place}/`)).not.toBeNull();
    expect(await lab.fetchFrom(other, `http://${address}/`)).toContain("client-2");

    const closed = [...open, address, "10.8.0.1:3001", "192.168.77.1:3001"];
    const answers = await Promise.all(closed.map((place) => lab.fetchFrom(device(), `http://${place}/`)));
    expect(answers).toEqual(closed.map(() => null));
    expect(await reaches()).toBe(true);
    await second.down();
  });

  test("a blocked member is cut within 5 s; unblocked, the device reconnects by itself with the same file", async () => {
    const before = await stats();
    const changedAt = Date.now();
    const params = { id: "anna" };
    await admin.ask("PUT /users/{id}", { params, body: { isActive: 0, blockConfigs: true } });
    await lab.until("the device is cut", async () => !(await reaches()));
    // The last probe took up to a second to be known as unanswered.
    expect(Date.now() - changedAt).toBeLessThan(5_000 + 1_000);
    expect(await peersOnWire()).not.toContain(keyOf(file));
    await expect(stats()).rejects.toThrow("401");

    await admin.ask("PUT /users/{id}", { params, body: { isActive: 1 } });
    await connects();
    const { token } = await panel.guest().ask("POST /auth/login", { body: { username: "anna", password: PASSWORD } });
    anna = panel.as(token);
    const after = await stats();
    expect(after.dataReceived).toBeGreaterThanOrEqual(before.dataReceived);
    expect(after.lastHandshake).toBeGreaterThanOrEqual(before.lastHandshake!);
  });

  test("an ended subscription cuts within 5 s and destroys nothing; after a renewal the same file works", async () => {
    const { id } = await anna.ask("GET /auth/me");
    // Staff can only set whole days, so the test writes an end a moment away directly into the database.
    const database = await openSqlite(`${panel.dataDir}/krug.db`);
    const endsAt = Date.now() + 1_000;
    await database.db
      .withTables<{ members: { id: string; subscription_end: number } }>()
      .updateTable("members")
      .set({ subscription_end: endsAt })
      .where("id", "=", id)
      .execute();
    await database.close();
    await lab.until("the device is cut", async () => !(await reaches()));
    expect(Date.now()).toBeGreaterThan(endsAt);
    expect(Date.now() - endsAt).toBeLessThan(5_000 + 1_000);
    expect(await anna.ask("GET /vpn/configs")).toMatchObject([{ id: config.id, state: "off" }]);

    const nextMonth = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
    await admin.ask("PUT /users/{id}", { params: { id }, body: { subscriptionEnd: nextMonth } });
    await reconnect(await anna.download(config.id));
    await connects();
    expect(await anna.download(config.id)).toBe(file);
  });

  test("a new key invalidates the lost device's file and keeps name and address", async () => {
    const before = await stats();
    const changed = await anna.ask("POST /vpn/configs/{id}/key", { params: { id: config.id } });
    expect(changed).toMatchObject({ id: config.id, name: "laptop", state: "applied" });
    const old = file;
    file = await anna.download(config.id);
    expect(parseConfig(file).addresses).toEqual(parseConfig(old).addresses);
    const onWire = await peersOnWire();
    expect(onWire).toContain(keyOf(file));
    expect(onWire).not.toContain(keyOf(old));
    expect(await reaches()).toBe(false);
    await reconnect(old);
    expect(await reaches()).toBe(false);
    expect((await tunnel.state()).handshakeAt).toBe(0);
    await reconnect(file);
    await connects();
    expect((await stats()).dataReceived).toBeGreaterThanOrEqual(before.dataReceived);
  });

  test("a deleted config is off the wire by the time of the answer, and works as before once brought back", async () => {
    const before = await stats();
    const params = { id: config.id };
    await anna.ask("DELETE /vpn/configs/{id}", { params });
    expect(await peersOnWire()).not.toContain(keyOf(file));
    expect(await reaches()).toBe(false);
    await reconnect(file);
    expect(await reaches()).toBe(false);
    expect(await anna.ask("GET /vpn/configs")).toEqual([]);
    expect(await anna.ask("POST /vpn/configs/{id}/restore", { params })).toMatchObject({ state: "applied" });
    await reconnect(file);
    await connects();
    expect((await stats()).dataReceived).toBeGreaterThanOrEqual(before.dataReceived);
  });

  test.each([3, 25])("kill -9 after %i of 50 simultaneous creations loses none that was answered", async (answers) => {
    const before = await stats();
    const wish = await wishOf(admin);
    const made: string[] = [];
    let killed: Promise<unknown> | undefined;
    await Promise.allSettled(
      Array.from({ length: 50 }, async (_, index) => {
        const { id } = await admin.ask("POST /vpn/configs", { body: { ...wish, name: `d-${answers}-${index}` } });
        made.push(id);
        if (made.length === answers) killed = panel.end("SIGKILL");
      }),
    );
    expect(killed).toBeDefined();
    await killed;
    // Answers that were on their way when the kill was sent may have come all the same: on a busy machine all of them.
    expect(made.length).toBeGreaterThanOrEqual(answers);
    // Tunnels don't need the panel.
    await receive(MEGABYTE);

    await panel.start();
    const settled = await lab.until("all is applied", async () => {
      const all = await admin.ask("GET /vpn/configs");
      return all.every(({ state }) => state === "applied") ? all : null;
    });
    expect(settled.map(({ id }) => id)).toEqual(expect.arrayContaining(made));
    const everyone = await admin.ask("GET /vpn/configs", { query: { scope: "all" } });
    const others = everyone.length - settled.length;
    const keys = await Promise.all(settled.map(async ({ id }) => keyOf(await admin.download(id))));
    const onWire = await peersOnWire();
    expect(onWire).toEqual(expect.arrayContaining([...keys, keyOf(file)]));
    expect(onWire).toHaveLength(keys.length + others);
    const addresses = await network.host.exec("wg", ["show", "wg0", "allowed-ips"]);
    expect(new Set(addresses.match(/10\.\S+/g)).size).toBe(onWire.length);
    await lab.until("what came while the panel was dead is counted", async () => {
      return (await stats()).dataReceived >= before.dataReceived + MEGABYTE;
    });
  });

  test("tunnels outlive a clean end by SIGTERM, and the next start disturbs no device", async () => {
    // A fresh handshake, so none is due meanwhile.
    await reconnect(file);
    await connects();
    const before = { state: await tunnel.state(), stats: await stats(), programs: await tunnelPrograms() };
    const wire = await peersOnWire();
    expect(await panel.end("SIGTERM")).toBe(0);
    await receive(MEGABYTE);
    await panel.start();
    await lab.until("the machine was looked at", async () => {
      const { local } = await admin.ask("GET /admin/system");
      return local.backend !== null;
    });
    await lab.until("the counters go on", async () => {
      return (await stats()).dataReceived >= before.stats.dataReceived + MEGABYTE;
    });
    expect(await reaches()).toBe(true);
    expect((await tunnel.state()).handshakeAt).toBe(before.state.handshakeAt);
    expect(await tunnelPrograms()).toBe(before.programs);
    expect(await peersOnWire()).toEqual(wire);
  });
});

/** On its own machine, started with the rest of this file: the minute until the panel's check overlaps with the other tests. */
async function deleteInterfaceByHand(): Promise<void> {
  const network = await lab.makeNetwork({ clients: 1 });
  try {
    const [panel] = await Promise.all([startPanel(network, network.host), lab.startServices(network.target)]);
    const { admin } = await setUpAdmin(panel);
    const { member } = await invite(panel, admin, "vera");
    const { id } = await createConfig(member, "laptop");
    const tunnel = await lab.tunnelUp(network, network.clients[0]!, await member.download(id));
    const reaches = () => lab.fetchFrom(network.clients[0]!, TARGET);
    const receive = () => lab.fetchFrom(network.clients[0]!, `${TARGET}?bytes=${MEGABYTE}`, 20);
    const stats = () => member.ask("GET /vpn/configs/{id}/stats", { params: { id } });
    const peersOnWire = () => lab.devicesOn(network.host, "wg0");
    await lab.until("vera reaches the target", reaches);
    await receive();
    const before = await lab.until("it is counted", async () => {
      const seen = await stats();
      return seen.dataReceived >= MEGABYTE ? seen : null;
    });
    const wire = await peersOnWire();
    expect(wire).toHaveLength(1);
    await network.host.exec("ip", ["link", "del", "wg0"]);
    expect(await reaches()).toBeNull();
    await lab.until("the interface is back", async () => (await peersOnWire())[0] === wire[0], 65_000);
    await tunnel.again();
    await lab.until("vera is back", reaches);
    await receive();
    const after = await lab.until("the counters go on", async () => {
      const seen = await stats();
      expect(seen.dataReceived).toBeGreaterThanOrEqual(before.dataReceived);
      return seen.dataReceived >= before.dataReceived + MEGABYTE ? seen : null;
    });
    expect(after.dataSent).toBeGreaterThan(before.dataSent);
    // The panel's own handshake, with the same interface, half a minute after the look that brought it back.
    await lab.until(
      "the interface answers the panel",
      async () => (await admin.ask("GET /admin/servers/interfaces"))[0]?.probe?.state === "answers",
      65_000,
    );
    expect((await network.host.exec("wg", ["show", "wg0", "peers"])).trim().split("\n")).toHaveLength(2);
  } finally {
    await network.close();
  }
}

test("an interface deleted by hand is back within a minute, and no total ever decreases", () => deletedByHand);
