import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OWN_ENGINE as engine } from "../scripts/engine.mjs";
import { type AmneziaClient, amneziaUp } from "./amnezia-client.ts";
import * as lab from "./network.ts";
import { configInputOf, invite, type LabPanel, setUpAdmin, startPanel, type Visitor } from "./panel.ts";

/* The panel's minutely work with AmneziaWG. */
const TARGET = `http://${lab.TARGET_ADDRESS}/`;
const WITHIN_MS = 75_000;

describe.skipIf(!existsSync(engine))("AmneziaWG over minutes", () => {
  let network: lab.LabNetwork;
  let panel: LabPanel;
  let admin: Visitor;
  let anna: Visitor;
  let tunnel: AmneziaClient;
  let interfaceId: string;
  let configId: string;
  const device = () => network.clients[0]!;
  const reaches = async () => (await lab.fetchFrom(device(), TARGET)) !== null;
  const interfaces = () => admin.ask("GET /admin/servers/interfaces");
  const shown = async (id: string) => (await interfaces()).find((one) => one.id === id);

  beforeAll(async () => {
    network = await lab.makeNetwork({ clients: 1 });
    [panel] = await Promise.all([startPanel(network, network.host), lab.startServices(network.target, { tcp: [80] })]);
    ({ admin } = await setUpAdmin(panel));
    ({ member: anna } = await invite(panel, admin, "anna"));
    const serverId = (await admin.ask("GET /admin/servers"))[0]!.id;
    for (const version of ["2.0", "3.1"] as const) {
      const { interface: made } = await admin.ask("POST /admin/servers/{serverId}/create-interface", {
        params: { serverId },
        body: { amneziawg: { version, preset: "dns" } },
      });
      interfaceId = made.id;
    }
    await admin.ask("POST /admin/servers/interfaces/assign", { body: { userId: "anna", interfaceId } });
    const input = { ...(await configInputOf(anna)), interfaceId, name: "laptop" };
    ({ id: configId } = await anna.ask("POST /vpn/configs", { body: input }));
    tunnel = await amneziaUp(device(), engine, await anna.download(configId));
    await lab.until("the device reaches the target", reaches);
  });
  afterAll(() => network?.close());

  test("interfaces of both versions answer its handshake, and so does the plain one next to them", async () => {
    const answering = async () => (await interfaces()).filter(({ probe }) => probe?.state === "answers").length;
    await lab.until("all answers", async () => (await answering()) === 3, WITHIN_MS);
  });

  test("an interface whose devices have all moved to new parameters is deleted, also on its machine", async () => {
    const old = (await shown(interfaceId))!;
    await admin.ask("POST /admin/servers/interfaces/{id}/rotate", {
      params: { id: old.id },
      body: { version: "3.1", preset: "quic", days: 14 },
    });
    const config = async () => (await anna.ask("GET /vpn/configs"))[0]!;
    await lab.until("the device has its new place", async () => (await config()).interfaceId !== old.id);
    await tunnel.down();
    await amneziaUp(device(), engine, await anna.download(configId));
    await lab.until("the device has arrived", async () => (await reaches()) && (await config()).moving === null);
    await lab.until("the interface has gone", async () => (await shown(old.id)) === undefined, WITHIN_MS);
    const link = () => network.host.attempt("ip", ["link", "show", old.interfaceName]);
    await lab.until("its machine has it no more", async () => (await link()).exitCode !== 0);
    expect(await reaches()).toBe(true);
  });
});
