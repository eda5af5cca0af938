import { existsSync } from "node:fs";
import { AMNEZIA_VERSIONS, type AmneziaVersion } from "@krug/wireguard/amneziawg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OWN_ENGINE as engine } from "../scripts/engine.mjs";
import { type AmneziaClient, amneziaUp, fileInLink } from "./amnezia-client.ts";
import * as lab from "./network.ts";
import { configInputOf, invite, type LabPanel, setUpAdmin, startPanel, type Visitor } from "./panel.ts";
import { watchWire } from "./wire-watch.ts";

/** The ports that the panel gives to one interface after the other. */
const PORTS = [51820, 51821, 51822, 51823];
const TARGET = `http://${lab.TARGET_ADDRESS}/`;

describe.skipIf(!existsSync(engine))("AmneziaWG through the panel, from an admin's press to a member's packets", () => {
  let network: lab.LabNetwork;
  let panel: LabPanel;
  let admin: Visitor;
  let anna: Visitor;
  let serverId: string;
  let onWire: Awaited<ReturnType<typeof watchWire>>;
  const interfaces = {} as Record<AmneziaVersion, string>;
  const configs = {} as Record<AmneziaVersion, string>;
  const tunnels = {} as Record<AmneziaVersion, AmneziaClient>;
  const place = { "2.0": 0, "3.1": 1 };
  const client = (version: AmneziaVersion) => network.clients[place[version]]!;
  const reaches = async (at: number) => (await lab.fetchFrom(network.clients[at]!, TARGET)) !== null;
  const shown = async (id: string) => (await admin.ask("GET /admin/servers/interfaces")).find((one) => one.id === id);
  const configOf = async (id: string) => (await anna.ask("GET /vpn/configs")).find((one) => one.id === id)!;

  beforeAll(async () => {
    network = await lab.makeNetwork({ clients: 3 });
    [panel] = await Promise.all([startPanel(network, network.host), lab.startServices(network.target, { tcp: [80] })]);
    ({ admin } = await setUpAdmin(panel));
    ({ member: anna } = await invite(panel, admin, "anna"));
    serverId = (await admin.ask("GET /admin/servers"))[0]!.id;
    onWire = await watchWire(network.internet, PORTS);
  });
  afterAll(() => network?.close());

  test.each(AMNEZIA_VERSIONS)(
    "an interface of %s is up by the time of the answer, and a member's file connects",
    async (version) => {
      const { interface: made } = await admin.ask("POST /admin/servers/{serverId}/create-interface", {
        params: { serverId },
        body: { amneziawg: { version, preset: "dns" } },
      });
      expect(made).toMatchObject({ type: "amneziawg", conflict: null, amneziawg: { version } });
      interfaces[version] = made.id;
      await admin.ask("POST /admin/servers/interfaces/assign", { body: { userId: "anna", interfaceId: made.id } });
      const input = {
        ...(await configInputOf(anna)),
        interfaceId: made.id,
        name: `laptop-${version.replace(".", "-")}`,
      };
      const { id } = await anna.ask("POST /vpn/configs", { body: input });
      configs[version] = id;
      const file = await anna.download(id);
      const { link } = await anna.ask("GET /vpn/configs/{id}/link", { params: { id } });
      expect(fileInLink(link)).toBe(file);
      tunnels[version] = await amneziaUp(client(version), engine, file);
      await lab.until("the device reaches the target", () => reaches(place[version]));
      await lab.until("the card says so", async () => (await configOf(id)).stats.lastHandshake !== null);
    },
  );

  test("traffic is counted and access rules apply as with a plain tunnel", async () => {
    const { id: annaId } = await anna.ask("GET /auth/me");
    const rule = await admin.ask("POST /admin/rules", {
      body: { target: lab.TARGET_ADDRESS, appliesTo: [annaId] },
    });
    await lab.until("neither device reaches what is banned", async () => !(await reaches(0)) && !(await reaches(1)));
    await admin.ask("DELETE /admin/rules/{id}", { params: { id: rule.id } });
    await lab.until("both reach it again", async () => (await reaches(0)) && (await reaches(1)));
    for (const version of AMNEZIA_VERSIONS) {
      const { stats } = await configOf(configs[version]);
      expect((await lab.fetchFrom(client(version), `${TARGET}?bytes=300000`, 20))?.length).toBeGreaterThan(300_000);
      const received = async () => (await configOf(configs[version])).stats.dataReceived - stats.dataReceived;
      await lab.until("what it downloads is counted", async () => (await received()) > 300_000);
    }
  });

  test("another kind of tunnel: a plain device keeps working until it connects by AmneziaWG, and stays one device", async () => {
    const plain = (await admin.ask("GET /admin/servers/interfaces")).find(({ type }) => type === "wireguard")!;
    const input = { ...(await configInputOf(anna)), interfaceId: plain.id, name: "phone" };
    const { id } = await anna.ask("POST /vpn/configs", { body: input });
    const old = await lab.tunnelUp(network, network.clients[2]!, await anna.download(id), "old");
    await lab.until("the plain device reaches the target", () => reaches(2));
    await anna.ask("PUT /vpn/configs/{id}", { params: { id }, body: { interfaceId: interfaces["3.1"] } });
    expect(await reaches(2)).toBe(true);
    expect((await configOf(id)).moving).not.toBeNull();
    await old.down();
    const file = await anna.download(id);
    await amneziaUp(network.clients[2]!, engine, file);
    await lab.until("the device reaches the target by the new way", () => reaches(2));
    await lab.until("the old way has gone", async () => (await configOf(id)).moving === null);
    const left = () => lab.devicesOn(network.host, plain.interfaceName);
    await lab.until("the machine has dropped the old way", async () => (await left()).length === 0);
  });

  test("new parameters start next to the old ones, which serve a device until it connects with its new file", async () => {
    const old = (await shown(interfaces["2.0"]))!;
    const begun = await admin.ask("POST /admin/servers/interfaces/{id}/rotate", {
      params: { id: old.id },
      body: { version: "3.1", preset: "quic", days: 14 },
    });
    const config = () => configOf(configs["2.0"]);
    await lab.until("the device has its new place", async () => (await config()).interfaceId === begun.to.id);
    expect(await reaches(0)).toBe(true);
    expect(await shown(old.id)).toMatchObject({ leavingCount: 1 });
    await tunnels["2.0"].down();
    await amneziaUp(client("2.0"), engine, await anna.download(configs["2.0"]));
    await lab.until("the device reaches the target", () => reaches(0));
    await lab.until("it has arrived", async () => (await config()).moving === null);
    expect(await shown(old.id)).toMatchObject({ leavingCount: 0, configCount: 0 });
    expect(await reaches(1)).toBe(true);
  });

  test("with the generator's values, trailers and openings included, none of their packets starts like WireGuard's", async () => {
    const all = await admin.ask("GET /admin/servers/interfaces");
    expect(all.map(({ listenPort }) => listenPort).sort()).toEqual(PORTS);
    for (const { type, listenPort } of all) {
      expect(await onWire("seen", listenPort)).toBeGreaterThan(5);
      if (type === "amneziawg") expect(await onWire("plain", listenPort)).toBe(0);
      else expect(await onWire("plain", listenPort)).toBeGreaterThan(5);
    }
  });
});
