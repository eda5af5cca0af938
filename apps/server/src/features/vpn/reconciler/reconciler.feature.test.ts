import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { configInput } from "../../../../testing/config-input.ts";
import { startClub } from "../../../../testing/start-club.ts";
import { admin, boris, change, club, keys, listOf, make, openClubOnWire } from "../../../../testing/wire-club.ts";

openClubOnWire();

const DAY_MS = 86_400_000;

describe("a peer is on the wire exactly while its owner is entitled", () => {
  test("blocking removes the member's peers and no one else's; unblocking restores the same ones", async () => {
    const anna = await club.member();
    await make(boris);
    await make(anna);
    const before = keys();
    expect((await change(boris.username, { is_active: 0, blockConfigs: true })).status).toBe(200);
    await club.settle();
    expect(keys()).toHaveLength(1);
    expect((await club.as(boris).call("GET /vpn/configs")).status).toBe(401);
    await change(boris.username, { is_active: 1, blockConfigs: false });
    await club.settle();
    expect(keys()).toEqual(before);
  });

  test("at the subscription's end the peer is removed, the config stays, and a renewal restores it with the same file", async () => {
    const { id } = await make(boris);
    const before = keys();
    club.clock.advance(30 * DAY_MS);
    await club.app.parts.configs.cutEnded();
    await club.settle();
    expect(keys()).toEqual([]);
    const again = await club.guest.call("POST /auth/login", {
      body: { username: boris.username, password: boris.password },
    });
    const later = club.withToken(again.body.token);
    expect((await later.call("GET /vpn/configs")).body).toMatchObject([{ id, state: "off" }]);
    expect((await later.call("GET /vpn/configs/{id}/download", { params: { id } })).status).toBe(200);

    const staff = await club.admin();
    await club.as(staff).call("PUT /users/{id}", { params: { id: boris.username }, body: { isUnlimited: true } });
    await club.settle();
    expect(keys()).toEqual(before);
  });

  test("a deleted member's peers are removed and their keys destroyed at once", async () => {
    const { id } = await make(boris);
    expect((await club.as(admin).call("DELETE /users/{id}", { params: { id: boris.username } })).status).toBe(204);
    await club.settle();
    expect(keys()).toEqual([]);
    expect((await club.app.parts.configs.byIds(club.db, [id]))[0]).toMatchObject({
      sealed_private_key: null,
      address: "",
    });
  });
});

describe("the server gets what the database says", () => {
  test("a server that is down does not prevent creations: the card says pending and since when, and it is applied later", async () => {
    club.host.away = "no answer";
    const made = await make(boris);
    expect(made.state).toBe("pending");
    await club.app.lookAtServers();
    await club.settle();
    const [card] = await listOf(boris);
    expect(card?.pendingSince).toBe(club.clock.now().toISOString());
    club.host.away = null;
    await club.app.lookAtServers();
    await club.settle();
    expect((await listOf(boris))[0]).toMatchObject({ state: "applied", pendingSince: null });
    expect(keys()).toHaveLength(1);
  });

  test("a working device shows its member since when its server is down, in the list and on each card", async () => {
    await make(boris);
    const told = async () => [
      (await listOf(boris))[0]?.serverAwaySince,
      (await club.as(boris).call("GET /vpn/stats")).body[0]?.serverAwaySince,
    ];
    expect(await told()).toEqual([null, null]);
    club.host.away = "no answer";
    club.clock.advance(6_000);
    await club.app.lookAtServers();
    await club.settle();
    const since = club.clock.now().toISOString();
    expect((await listOf(boris))[0]).toMatchObject({ state: "applied", pendingSince: null });
    expect(await told()).toEqual([since, since]);
    club.host.away = null;
    await club.app.lookAtServers();
    await club.settle();
    expect(await told()).toEqual([null, null]);
  });

  test("a bug of ours does not count as a server that does not answer", async () => {
    const { applyPeers, apply } = club.host;
    const bug = () => Promise.reject(new TypeError("x is not a function"));
    Object.assign(club.host, { applyPeers: bug, apply: bug });
    await make(boris);
    await club.app.lookAtServers();
    await club.settle();
    const [server] = await club.app.parts.servers.all(club.db);
    expect(server?.unreachable_since).toBeNull();
    expect((await club.app.parts.jobs.status()).failing).toBeGreaterThan(0);
    Object.assign(club.host, { applyPeers, apply });
    club.clock.advance(60_000);
    await club.settle();
    expect(await listOf(boris)).toMatchObject([{ state: "applied" }]);
  });

  test("after a reboot of the machine everything is restored, and a foreign peer on our interface is removed", async () => {
    await make(boris);
    const before = keys();
    club.host.reboot();
    await club.app.lookAtServers();
    await club.settle();
    expect(keys()).toEqual(before);

    const ours = club.host.interfaces.get("wg0");
    const [peer] = ours?.peers ?? [];
    if (ours === undefined || peer === undefined) throw new Error("nothing stands");
    ours.peers.push({ ...peer, publicKey: `${"B".repeat(42)}A=` as never, allowedIps: ["10.8.0.200/32"] });
    await club.app.lookAtServers();
    await club.settle();
    expect(keys()).toEqual(before);
  });

  test("an interface deleted by hand is recreated by the next create", async () => {
    await make(boris, "first");
    club.host.reboot();
    expect((await make(boris, "second")).state).toBe("applied");
    expect(keys()).toHaveLength(2);
  });

  const damage = (table: string, column: string, id: string) =>
    sql`update ${sql.table(table)} set ${sql.ref(column)} = 'v1.AAAA' where id = ${id}`.execute(club.db);

  test("a device whose preshared key cannot be opened keeps its tunnel; its owner's end takes it off the wire all the same", async () => {
    const { id } = await make(boris, "damaged");
    await make(boris, "sound");
    const [before, peers] = [keys(), club.host.peers()];
    await damage("configs", "sealed_preshared_key", id);
    await club.restart();
    const look = async () => {
      await club.app.lookAtServers();
      await club.settle();
    };
    await look();
    expect(keys()).toEqual(before);
    expect(club.host.peers()).toEqual(peers);
    expect((await listOf(boris)).map(({ state }) => state)).toEqual(["applied", "applied"]);
    await change(boris.username, { is_active: 0, blockConfigs: true });
    await club.settle();
    await look();
    expect(keys()).toEqual([]);
  });

  test("an interface whose private key cannot be opened keeps its tunnels, and the rest of its server obeys", async () => {
    const { id } = await make(boris);
    const [row] = (await club.app.parts.interfaces.places(club.db)).values();
    await damage("interfaces", "sealed_private_key", row?.interface.id ?? "");
    await club.restart();
    await club.app.lookAtServers();
    await club.settle();
    expect(keys()).toHaveLength(1);
    await club.as(boris).call("DELETE /vpn/configs/{id}", { params: { id } });
    await club.settle();
    await club.app.lookAtServers();
    await club.settle();
    expect(keys()).toEqual([]);
  });

  test("a config with a damaged secret keeps no other peer off the wire", async () => {
    const damaged = await make(boris, "damaged");
    await make(boris, "sound");
    const tables = club.db.withTables<{ configs: { id: string; sealed_preshared_key: string } }>();
    await tables.updateTable("configs").set({ sealed_preshared_key: "v1.AAAA" }).where("id", "=", damaged.id).execute();
    club.host.reboot();
    await club.app.lookAtServers();
    await club.settle();
    expect(keys()).toHaveLength(1);
    const states = (await listOf(boris)).map((config) => [config.name, config.state]);
    expect(Object.fromEntries(states)).toEqual({ damaged: "pending", sound: "applied" });
  });

  describe("a device deleted while its server is down is purged, although its peer never comes back:", () => {
    let id: string;
    let serviceId: string;
    let serverId: string;
    const lookAgain = async () => {
      await club.app.lookAtServers();
      await club.settle();
    };
    const isForgotten = async () => {
      club.clock.advance(61_000);
      await club.app.parts.configs.purgePast();
      expect((await club.app.parts.configs.byIds(club.db, [id]))[0]).toMatchObject({ address: "", leaving_key: null });
      const deleted = await club.as(admin).call("DELETE /services/{id}", { params: { id: serviceId } });
      expect(deleted.code ?? deleted.status).toBe(204);
    };
    beforeEach(async () => {
      const wish = { name: "Сервис", ips: ["203.0.113.0/24"], deviceTypes: ["all"] };
      serviceId = ((await club.as(admin).send("POST", "/api/services", wish)).body as { id: string }).id;
      const body = { ...(await configInput(club, boris)), services: [serviceId] };
      id = (await club.as(boris).call("POST /vpn/configs", { body })).body.id;
      await make(boris, "another");
      expect(keys()).toHaveLength(2);
      serverId = (await club.as(admin).call("GET /admin/servers")).body[0]?.id ?? "";
      club.host.away = "no route to host";
      await lookAgain();
      await club.as(boris).call("DELETE /vpn/configs/{id}", { params: { id } });
    });

    test("the machine was rebuilt", async () => {
      club.host.reboot();
      club.host.away = null;
      await lookAgain();
      expect(keys()).toHaveLength(1);
      await isForgotten();
    });

    test("its interface was deleted meanwhile", async () => {
      const [{ id: interfaceId } = { id: "" }] = await club.app.parts.interfaces.all(club.db);
      const params = { serverId, interfaceId };
      const gone = await club
        .as(admin)
        .call("DELETE /admin/servers/{serverId}/interfaces/{interfaceId}", { params, query: { configs: 1 } });
      expect(gone.status).toBeLessThan(300);
      club.host.reboot();
      club.host.away = null;
      await lookAgain();
      await isForgotten();
    });
  });

  test("a foreign interface of the same machine is never touched", async () => {
    const foreign = {
      name: "wg7",
      publicKey: `${"C".repeat(42)}A=` as never,
      listenPort: 51999,
      type: "wireguard" as const,
      fwmark: null,
      peers: [],
    };
    club.host.interfaces.set("wg7", foreign);
    await make(boris);
    await club.app.lookAtServers();
    await club.settle();
    expect(club.host.interfaces.get("wg7")).toEqual(foreign);
  });

  test("what was not applied when the panel stopped is applied after its start", async () => {
    club.host.away = "no answer";
    await make(boris);
    club.host.away = null;
    await club.restart();
    expect(keys()).toHaveLength(1);
    expect((await listOf(boris))[0]?.state).toBe("applied");
  });

  test("two inspections at once make the machine one server, not two", async () => {
    const fresh = await startClub({ look: false });
    try {
      await Promise.all([fresh.app.lookAtServers(), fresh.app.lookAtServers()]);
      expect(await fresh.app.parts.servers.all(fresh.db)).toHaveLength(1);
      expect(await fresh.app.parts.interfaces.all(fresh.db)).toHaveLength(1);
    } finally {
      await fresh.stop();
    }
  });

  test("work for a server whose own panel is down does not pile up minute by minute", async () => {
    const [server] = await club.app.parts.servers.all(club.db);
    if (server === undefined) throw new Error("no server");
    await club.transact((tx) => club.app.parts.servers.update(tx, server.id, { panel_id: "a-panel-that-is-away" }));
    const waiting = async () =>
      (await sql`select id from jobs where panel_id = 'a-panel-that-is-away'`.execute(club.db)).rows.length;
    for (let minute = 0; minute < 5; minute++) {
      club.clock.advance(60_000);
      await club.app.parts.reconciler.reconcileAll();
      await club.settle();
    }
    expect(await waiting()).toBe(1);
  });

  test("a second round changes nothing", async () => {
    await make(boris);
    const before = structuredClone([...club.host.interfaces]);
    await club.app.lookAtServers();
    await club.settle();
    expect([...club.host.interfaces]).toEqual(before);
  });
});

describe("a club without a machine for tunnels", () => {
  test("the panel runs, says so, and offers no interface", async () => {
    const bare = await startClub({ localServer: "off" });
    try {
      const anna = await bare.member();
      expect((await bare.as(anna).call("GET /vpn/available-interfaces")).body).toEqual([]);
      const { local } = (await bare.as(await bare.admin()).call("GET /admin/system")).body;
      expect(local).toMatchObject({ backend: null, why: { code: "local.off" }, problems: [], install: null });
    } finally {
      await bare.stop();
    }
  });
});
