import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OWN_ENGINE } from "../scripts/engine.mjs";
import { amneziaUp, askEngine } from "./amnezia-client.ts";
import { ENGINE_RUNS } from "./driven-host.ts";
import { keyOf, MEGABYTE, TARGET, testMainJob } from "./main-job.ts";
import * as lab from "./network.ts";
import { configInputOf, type LabPanel, startPanel } from "./panel.ts";
import { AS_SOMEBODY, somebodysFolder, withoutTunnels } from "./ways.ts";

describe.skipIf(!existsSync(OWN_ENGINE))(
  "a panel of an ordinary user, on a machine without tunnel devices and packages",
  () => {
    let network: lab.LabNetwork;
    let panel: LabPanel;
    let dataDir: string;
    let isRoot = false;

    beforeAll(async () => {
      network = await lab.makeNetwork({ clients: 3 });
      dataDir = await somebodysFolder();
      await withoutTunnels(network.host);
      [panel] = await Promise.all([
        startPanel(network, network.host, { dataDir, by: () => (isRoot ? [] : AS_SOMEBODY) }),
        lab.startServices(network.target, { tcp: [80, 25] }),
        lab.startServices(network.privateNetwork, { tcp: [80] }),
      ]);
    });
    afterAll(async () => {
      await network?.close();
      if (dataDir) await rm(dataDir, { recursive: true, force: true });
    });

    const folder = () => join(dataDir, "engines");
    /** Keys in base64 of the peers with an address, from the engine. */
    const devices = async () => {
      const text = (await askEngine(network.host, "wg0", "get=1\n\n", "wireguard", folder())) ?? "";
      return text
        .split("public_key=")
        .slice(1)
        .flatMap((peer) =>
          peer.includes("allowed_ip=") ? Buffer.from(peer.slice(0, 64), "hex").toString("base64") : [],
        )
        .sort();
    };
    const engines = async () => (await network.host.attempt("pgrep", ["-f", ENGINE_RUNS])).stdout.trim().split("\n");
    const job = testMainJob(() => ({ network, panel, at: network.host, ...(!isRoot && { devices }) }));
    const localState = async () => (await job.admin.ask("GET /admin/system")).local;

    test("the system screen names how tunnels run, and what a faster kind needs", async () => {
      expect(await localState()).toMatchObject({ backend: "netstack", reason: null, problems: [{ code: "not_root" }] });
    });

    test("an access rule holds and is lifted, by packets", async () => {
      const { id: annaId } = await job.anna.ask("GET /auth/me");
      const { id } = await job.admin.ask("POST /admin/rules", {
        body: { target: lab.TARGET_ADDRESS, appliesTo: [annaId] },
      });
      await lab.until("the target is closed to her", async () => !(await job.reaches()));
      await job.admin.ask("DELETE /admin/rules/{id}", { params: { id } });
      await lab.until("it is open again", () => job.reaches());
    });

    test("the machine's own addresses answer a member's pings, but its panel's port does not", async () => {
      const pings = await Promise.all(
        ["10.8.0.1", lab.HOST_ADDRESS].map((address) => job.device().attempt("ping", ["-c", "1", "-W", "2", address])),
      );
      expect(pings.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
      expect(await lab.fetchFrom(job.device(), `http://${lab.HOST_ADDRESS}:3001/`)).toBeNull();
    });

    test("an AmneziaWG interface is up by the time of the answer, and a member's file connects", async () => {
      const [server] = await job.admin.ask("GET /admin/servers");
      const { interface: made } = await job.admin.ask("POST /admin/servers/{serverId}/create-interface", {
        params: { serverId: server!.id },
        body: { amneziawg: { version: "3.1", preset: "dns" } },
      });
      expect(made).toMatchObject({ type: "amneziawg", conflict: null });
      await job.admin.ask("POST /admin/servers/interfaces/assign", { body: { userId: "anna", interfaceId: made.id } });
      const body = { ...(await configInputOf(job.anna)), interfaceId: made.id, name: "disguised" };
      const { id } = await job.anna.ask("POST /vpn/configs", { body });
      const client = network.clients[2]!;
      await amneziaUp(client, OWN_ENGINE, await job.anna.download(id));
      await lab.until("the device reaches the target", () => lab.fetchFrom(client, TARGET));
    });

    test("tunnels outlive the panel, even killed, and the next one disturbs no device", async () => {
      await job.reconnect(job.file);
      await job.connects();
      const before = { handshakeAt: (await job.tunnel.state()).handshakeAt, engines: await engines() };
      expect(before.engines).toHaveLength(2);
      const { dataReceived } = await job.stats();
      await panel.end("SIGKILL");
      await job.receive(MEGABYTE);
      await panel.start();
      await lab.until(
        "what came meanwhile is counted",
        async () => (await job.stats()).dataReceived >= dataReceived + MEGABYTE,
      );
      expect({ handshakeAt: (await job.tunnel.state()).handshakeAt, engines: await engines() }).toEqual(before);
      expect(await job.peersOnWire()).toContain(keyOf(job.file));
    });

    test("started as root later, the same file continues on a better kind of tunnel, and no counter is lost", async () => {
      await job.receive(MEGABYTE);
      const before = await lab.until("it is counted", async () => {
        const seen = await job.stats();
        return seen.dataReceived >= 2 * MEGABYTE ? seen : null;
      });
      await panel.end("SIGTERM");
      await network.host.exec("umount", ["/dev/net/tun"]);
      isRoot = true;
      await panel.start();
      await lab.until("the better way is taken", async () => (await localState()).backend === "userspace");
      await lab.until("its device is on the interface", async () =>
        (await job.peersOnWire()).includes(keyOf(job.file)),
      );
      expect(await network.host.exec("wg", ["show", "wg0", "listen-port"])).toBe("51820\n");
      expect(await askEngine(network.host, "wg0", "get=1\n\n", "wireguard", folder())).toBeNull();
      await job.connects();
      await job.receive(MEGABYTE);
      await lab.until(
        "the counters continue",
        async () => (await job.stats()).dataReceived >= before.dataReceived + MEGABYTE,
      );
    });
  },
);
