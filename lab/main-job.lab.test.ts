import { parseConfig } from "@krug/wireguard/config-text";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openSqlite } from "../apps/server/src/platform/database/sqlite.ts";
import { ENGINE_RUNS } from "./driven-host.ts";
import { keyOf, MEGABYTE, TARGET, testMainJob } from "./main-job.ts";
import * as lab from "./network.ts";
import { configInputOf, createConfig, invite, type LabPanel, PASSWORD, setUpAdmin, startPanel } from "./panel.ts";

let deletedByHand: Promise<void>;
beforeAll(() => {
  deletedByHand = deleteInterfaceByHand();
  // Until its own test awaits the outcome.
  deletedByHand.catch(() => undefined);
});

describe("from an invite code to a working tunnel", () => {
  let network: lab.LabNetwork;
  let panel: LabPanel;

  beforeAll(async () => {
    network = await lab.makeNetwork({ clients: 2 });
    [panel] = await Promise.all([
      startPanel(network, network.host),
      lab.startServices(network.target, { tcp: [80, 25] }),
      lab.startServices(network.privateNetwork, { tcp: [80] }),
    ]);
  });
  afterAll(() => network?.close());

  const tunnelPrograms = async () => (await network.host.attempt("pgrep", ["-f", ENGINE_RUNS])).stdout;
  const job = testMainJob(() => ({ network, panel, at: network.host }));

  test("a blocked member is cut off within 5 s; unblocked, the device reconnects by itself with the same file", async () => {
    const before = await job.stats();
    const changedAt = Date.now();
    const params = { id: "anna" };
    await job.admin.ask("PUT /users/{id}", { params, body: { isActive: 0, blockConfigs: true } });
    await lab.until("the device is cut", async () => !(await job.reaches()));
    // It takes up to a second to find the last probe unanswered.
    expect(Date.now() - changedAt).toBeLessThan(5_000 + 1_000);
    expect(await job.peersOnWire()).not.toContain(keyOf(job.file));
    await expect(job.stats()).rejects.toThrow("401");

    await job.admin.ask("PUT /users/{id}", { params, body: { isActive: 1 } });
    await job.connects();
    const { token } = await panel.guest().ask("POST /auth/login", { body: { username: "anna", password: PASSWORD } });
    job.anna = panel.as(token);
    const after = await job.stats();
    expect(after.dataReceived).toBeGreaterThanOrEqual(before.dataReceived);
    expect(after.lastHandshake).toBeGreaterThanOrEqual(before.lastHandshake!);
  });

  test("an ended subscription cuts off within 5 s and destroys nothing; after a renewal the same file works", async () => {
    const { id } = await job.anna.ask("GET /auth/me");
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
    await lab.until("the device is cut", async () => !(await job.reaches()));
    expect(Date.now()).toBeGreaterThan(endsAt);
    expect(Date.now() - endsAt).toBeLessThan(5_000 + 1_000);
    expect(await job.anna.ask("GET /vpn/configs")).toMatchObject([{ id: job.config.id, state: "off" }]);

    const nextMonth = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
    await job.admin.ask("PUT /users/{id}", { params: { id }, body: { subscriptionEnd: nextMonth } });
    await job.reconnect(await job.anna.download(job.config.id));
    await job.connects();
    expect(await job.anna.download(job.config.id)).toBe(job.file);
  });

  test("a new key invalidates the lost device's file and leaves name and address", async () => {
    const before = await job.stats();
    const changed = await job.anna.ask("POST /vpn/configs/{id}/key", { params: { id: job.config.id } });
    expect(changed).toMatchObject({ id: job.config.id, name: "laptop", state: "applied" });
    const old = job.file;
    job.file = await job.anna.download(job.config.id);
    expect(parseConfig(job.file).addresses).toEqual(parseConfig(old).addresses);
    const onWire = await job.peersOnWire();
    expect(onWire).toContain(keyOf(job.file));
    expect(onWire).not.toContain(keyOf(old));
    expect(await job.reaches()).toBe(false);
    await job.reconnect(old);
    expect(await job.reaches()).toBe(false);
    expect((await job.tunnel.state()).handshakeAt).toBe(0);
    await job.reconnect(job.file);
    await job.connects();
    expect((await job.stats()).dataReceived).toBeGreaterThanOrEqual(before.dataReceived);
  });

  test("a deleted config is off the wire by the time of the answer, and works as before once restored", async () => {
    const before = await job.stats();
    const params = { id: job.config.id };
    await job.anna.ask("DELETE /vpn/configs/{id}", { params });
    expect(await job.peersOnWire()).not.toContain(keyOf(job.file));
    expect(await job.reaches()).toBe(false);
    await job.reconnect(job.file);
    expect(await job.reaches()).toBe(false);
    expect(await job.anna.ask("GET /vpn/configs")).toEqual([]);
    expect(await job.anna.ask("POST /vpn/configs/{id}/restore", { params })).toMatchObject({ state: "applied" });
    await job.reconnect(job.file);
    await job.connects();
    expect((await job.stats()).dataReceived).toBeGreaterThanOrEqual(before.dataReceived);
  });

  // Together fewer than the 60 that a member may create a minute: a busy machine answers all of them before the kill.
  test.each([
    [3, 25],
    [25, 30],
  ])("kill -9 after %i of %i simultaneous creations loses none that was answered", async (answers, count) => {
    const before = await job.stats();
    const input = await configInputOf(job.admin);
    const made: string[] = [];
    let killed: Promise<unknown> | undefined;
    await Promise.allSettled(
      Array.from({ length: count }, async (_, index) => {
        const { id } = await job.admin.ask("POST /vpn/configs", { body: { ...input, name: `d-${answers}-${index}` } });
        made.push(id);
        if (made.length === answers) killed = panel.end("SIGKILL");
      }),
    );
    expect(killed).toBeDefined();
    await killed;
    // Answers that were on their way at the kill may still have arrived: on a busy machine all of them.
    expect(made.length).toBeGreaterThanOrEqual(answers);
    // Tunnels don't need the panel.
    await job.receive(MEGABYTE);

    await panel.start();
    const settled = await lab.until("all is applied", async () => {
      const all = await job.admin.ask("GET /vpn/configs");
      return all.every(({ state }) => state === "applied") ? all : null;
    });
    expect(settled.map(({ id }) => id)).toEqual(expect.arrayContaining(made));
    const everyone = await job.admin.ask("GET /vpn/configs", { query: { scope: "all" } });
    const others = everyone.length - settled.length;
    const keys = await Promise.all(settled.map(async ({ id }) => keyOf(await job.admin.download(id))));
    const onWire = await job.peersOnWire();
    expect(onWire).toEqual(expect.arrayContaining([...keys, keyOf(job.file)]));
    expect(onWire).toHaveLength(keys.length + others);
    const addresses = await network.host.exec("wg", ["show", "wg0", "allowed-ips"]);
    expect(new Set(addresses.match(/10\.\S+/g)).size).toBe(onWire.length);
    await lab.until("what came while the panel was dead is counted", async () => {
      return (await job.stats()).dataReceived >= before.dataReceived + MEGABYTE;
    });
  });

  test("tunnels outlive a clean end by SIGTERM, and the next start disturbs no device", async () => {
    // A fresh handshake, so none is due meanwhile.
    await job.reconnect(job.file);
    await job.connects();
    const before = { state: await job.tunnel.state(), stats: await job.stats(), programs: await tunnelPrograms() };
    const wire = await job.peersOnWire();
    expect(await panel.end("SIGTERM")).toBe(0);
    await job.receive(MEGABYTE);
    await panel.start();
    await lab.until("the machine was looked at", async () => {
      const { local } = await job.admin.ask("GET /admin/system");
      return local.backend !== null;
    });
    await lab.until("the counters continue", async () => {
      return (await job.stats()).dataReceived >= before.stats.dataReceived + MEGABYTE;
    });
    expect(await job.reaches()).toBe(true);
    expect((await job.tunnel.state()).handshakeAt).toBe(before.state.handshakeAt);
    expect(await tunnelPrograms()).toBe(before.programs);
    expect(await job.peersOnWire()).toEqual(wire);
  });
});

/** On its own machine, started with the rest of this file, so that the minute until the panel's check overlaps with the other tests. */
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
    const after = await lab.until("the counters continue", async () => {
      const seen = await stats();
      expect(seen.dataReceived).toBeGreaterThanOrEqual(before.dataReceived);
      return seen.dataReceived >= before.dataReceived + MEGABYTE ? seen : null;
    });
    expect(after.dataSent).toBeGreaterThan(before.dataSent);
    // The panel's own handshake with the same interface, half a minute after the check that restored it.
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

test("an interface deleted by hand is restored within a minute, and no total ever decreases", () => deletedByHand);
