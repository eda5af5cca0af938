import { setTimeout as wait } from "node:timers/promises";
import { reason } from "@krug/domain/reasons";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { configInput } from "../../../../testing/config-input.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";
import { HostUncertain } from "../../../hosts/host.ts";

const DAY_MS = 86_400_000;
let club: Club;
let boris: Person;
let admin: Person;
beforeEach(async () => {
  club = await startClub();
  boris = await club.member();
  admin = await club.admin();
});
afterEach(() => club.stop());

const make = async (owner: Person, name = "laptop") =>
  (await club.as(owner).call("POST /vpn/configs", { body: await configInput(club, owner, { name }) })).body;
const listOf = async (owner: Person) => (await club.as(owner).call("GET /vpn/configs")).body;
const statsOf = async (owner: Person, id: string) => {
  club.clock.advance(3_000);
  return (await club.as(owner).call("GET /vpn/configs/{id}/stats", { params: { id } })).body;
};
const keys = () =>
  club.host
    .peers()
    .map((peer) => peer.publicKey)
    .sort();
const change = (username: string, body: object) => club.as(admin).send("PUT", `/api/users/${username}`, body);

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

describe("a round over a server", () => {
  const look = async () => {
    await club.app.lookAtServers();
    await club.settle();
  };
  /** How many peers' secrets `work` opens. */
  const openedBy = async (work: () => Promise<unknown>) => {
    const { configs } = club.app.parts;
    const { peerOf } = configs;
    let opened = 0;
    configs.peerOf = (row) => {
      opened += 1;
      return peerOf(row);
    };
    await work();
    configs.peerOf = peerOf;
    return opened;
  };
  beforeEach(async () => {
    boris = await club.member({ configLimit: 4 });
    for (const name of ["laptop", "phone", "tv"]) await make(boris, name);
    await look();
    await look();
  });

  test("opens no secret while nothing changed, and still corrects manual changes on the machine", async () => {
    const before = keys();
    expect(await openedBy(look)).toBe(0);
    const [tunnel] = club.host.interfaces.values();
    tunnel?.peers.splice(0, 1);
    expect(await openedBy(look)).toBe(0);
    expect(keys()).toEqual(before);
    club.host.reboot();
    expect(await openedBy(look)).toBe(0);
    expect(keys()).toEqual(before);
  });

  test("opens only the secret of the device that is new", async () => {
    const body = await configInput(club, boris, { name: "radio" });
    // Once to add it, and once for the round.
    expect(
      await openedBy(async () => {
        await club.as(boris).call("POST /vpn/configs", { body });
        await look();
      }),
    ).toBe(2);
    expect(keys()).toHaveLength(4);
    expect(await openedBy(look)).toBe(0);
  });

  test.each([
    ["a device is blocked", () => sql`update configs set is_blocked = 1 where name = 'tv'`.execute(club.db), 2],
    ["a device is deleted", () => sql`update configs set deleted_at = 1 where name = 'tv'`.execute(club.db), 2],
    ["the subscription ends", async () => club.clock.advance(365 * DAY_MS), 0],
    ["the owner is blocked", () => sql`update members set is_active = 0`.execute(club.db), 0],
    ["the interface is off", () => sql`update interfaces set is_active = 0`.execute(club.db), 0],
  ])("notices from the database that %s", async (_, happen, left) => {
    await happen();
    await look();
    expect(keys()).toHaveLength(left);
  });

  test("whose record failed is recorded by the next one, although the machine is right by then", async () => {
    const { servers } = club.app.parts;
    club.host.away = "no answer";
    const { id } = await make(boris, "radio");
    club.host.away = null;
    const { update } = servers;
    servers.update = async (tx, serverId, change) => {
      if (change.reconciled_at !== undefined) throw new Error("the disk is full");
      return update(tx, serverId, change);
    };
    await look();
    servers.update = update;
    expect([keys().length, (await listOf(boris)).find((config) => config.id === id)?.state]).toEqual([4, "pending"]);
    await look();
    expect((await listOf(boris)).find((config) => config.id === id)?.state).toBe("applied");
  });

  test("leaves a failing server alone for a while; requested work does not wait", async () => {
    const round = async () => {
      const before = club.host.calls.reach;
      await club.app.parts.reconciler.timed[0]?.run();
      await club.settle();
      return club.host.calls.reach - before;
    };
    club.host.away = "no answer";
    expect(await round()).toBe(1);
    expect(await round()).toBe(0);
    club.clock.advance(60_000);
    expect(await round()).toBe(1);
    club.host.away = null;
    await look();
    expect(await round()).toBe(1);
  });
});

/** Adds servers next to the panel's own. Answers their ids. */
async function addServers(count: number): Promise<string[]> {
  const { servers, transact } = club.app.parts;
  const [own] = await servers.all(club.db);
  const server = own ?? expect.unreachable();
  const more = Array.from({ length: count }, (_, n) => `00000000-0000-4000-8000-0000000000${n + 10}`);
  for (const id of more)
    await transact((tx) =>
      tx
        .withTables<{ servers: typeof server }>()
        .insertInto("servers")
        .values({ ...server, id, name: id, panel_id: null, machine: null, is_main: 0 })
        .execute(),
    );
  return more;
}

test("silent servers delay no others, however many they are", async () => {
  const { servers, jobs, reconciler } = club.app.parts;
  const silent = new Set(await addServers(29));
  const ends: (() => void)[] = [];
  const reach = () => new Promise<void>((resolve) => ends.push(resolve));
  const { hostOf } = servers;
  servers.hostOf = ({ id }) => (silent.has(id) ? { ...club.host, reach } : null);
  jobs.start();
  const ids = await reconciler.reconcileAll();
  await vi.waitFor(() => expect(ends.length).toBeGreaterThanOrEqual(20), 20_000);
  const before = club.host.calls.apply;
  servers.hostOf = (server) => (silent.has(server.id) ? null : hostOf(server));
  await reconciler.reconcileAll();
  await vi.waitFor(() => expect(club.host.calls.apply).toBeGreaterThan(before), 20_000);
  for (const end of ends) end();
  expect(await jobs.settled(ids, 20_000)).toBe(true);
});

test("a device reaches its server while twenty others are reconciled", async () => {
  const { servers, jobs, reconciler } = club.app.parts;
  const others = new Set(await addServers(20));
  const ends: (() => void)[] = [];
  const apply: typeof club.host.apply = async (desired) => {
    await new Promise<void>((resolve) => ends.push(resolve));
    return club.host.apply(desired);
  };
  servers.hostOf = ({ id }) => (others.has(id) ? { ...club.host, apply } : club.host);
  await club.settle();
  jobs.start();
  const ids = await reconciler.reconcileAll();
  await vi.waitFor(() => expect(ends).toHaveLength(20), 20_000);
  await make(boris);
  await vi.waitFor(() => expect(keys()).toHaveLength(1), 20_000);
  for (const end of ends) end();
  expect(await jobs.settled(ids, 20_000)).toBe(true);
});

test("at most twenty servers are worked on at once, and a larger round starts spread over time", async () => {
  const { servers } = club.app.parts;
  await addServers(29);
  servers.hostOf = () => club.host;
  const underWay: (() => void)[] = [];
  const { apply } = club.host;
  club.host.apply = async (desired) => {
    await new Promise<void>((resolve) => underWay.push(resolve));
    return apply(desired);
  };
  club.app.parts.jobs.start();
  const ids = await club.app.parts.reconciler.reconcileAll();
  expect(ids).toHaveLength(30);
  await vi.waitFor(() => expect(underWay.length).toBeGreaterThanOrEqual(20), 20_000);
  await wait(300);
  expect(underWay).toHaveLength(20);
  const ending = setInterval(() => {
    for (const end of underWay.splice(0)) end();
  }, 5);
  expect(await club.app.parts.jobs.settled(ids, 20_000)).toBe(true);
  clearInterval(ending);
  await club.app.parts.reconciler.reconcileAll({ isRound: true });
  const { rows } = await sql<{ run_at: number }>`select run_at from jobs where kind = 'servers.reconcile'`.execute(
    club.db,
  );
  const now = club.clock.now().getTime();
  const waits = rows.map(({ run_at }) => run_at - now);
  expect([Math.min(...waits) >= 0, Math.max(...waits) < 20_000, new Set(waits).size > 10]).toEqual([true, true, true]);
});

describe("counters", () => {
  test("received is what the device received, sent the reverse, and the last handshake is stored", async () => {
    const { id } = await make(boris);
    expect(await statsOf(boris, id)).toMatchObject({ lastHandshake: null, dataReceived: 0, dataSent: 0 });
    const at = club.clock.now().getTime();
    club.host.use(keys()[0] ?? "", { rx: 100, tx: 9_000 }, at);
    expect(await statsOf(boris, id)).toMatchObject({ lastHandshake: at, dataReceived: 9_000, dataSent: 100 });
    expect((await listOf(boris))[0]?.wireguardClient).toEqual({
      last_handshake: at,
      data_received: 9_000,
      data_sent: 100,
    });
  });

  test("totals are for the device's life: across re-adding, reboot, restart and new keys, and never counted twice", async () => {
    const { id } = await make(boris);
    const use = (rx: number) => club.host.use(keys()[0] ?? "", { rx, tx: rx * 2 }, club.clock.now().getTime());
    const sent = async () => (await statsOf(boris, id)).dataSent;
    use(1_000);
    expect(await sent()).toBe(1_000);
    // The bytes of the last seconds count although nobody read them before the peer left.
    use(500);
    await club.as(boris).call("DELETE /vpn/configs/{id}", { params: { id } });
    await club.as(boris).call("POST /vpn/configs/{id}/restore", { params: { id } });
    // More at once than before the re-adding: a check for smaller numbers only would lose these.
    use(2_000);
    expect(await sent()).toBe(3_500);
    expect(await sent()).toBe(3_500);
    club.host.reboot();
    await club.app.lookAtServers();
    await club.settle();
    use(4_000);
    expect(await sent()).toBe(7_500);
    await club.restart();
    use(10);
    expect(await sent()).toBe(7_510);
    await club.as(boris).call("POST /vpn/configs/{id}/key", { params: { id } });
    use(90);
    expect(await sent()).toBe(7_600);
    expect((await statsOf(boris, id)).dataReceived).toBe(15_200);
  });

  test("the last bytes of a key count even if it was replaced while its server was down, even twice", async () => {
    const { id } = await make(boris);
    club.host.use(keys()[0] ?? "", { rx: 1_000, tx: 0 }, club.clock.now().getTime());
    expect((await statsOf(boris, id)).dataSent).toBe(1_000);
    club.host.use(keys()[0] ?? "", { rx: 12_000_000, tx: 0 }, club.clock.now().getTime());
    club.host.away = "no route to host";
    await club.app.lookAtServers();
    await club.settle();
    for (let times = 0; times < 2; times += 1)
      await club.as(boris).call("POST /vpn/configs/{id}/key", { params: { id } });
    club.host.away = null;
    await club.app.lookAtServers();
    await club.settle();
    expect(keys()).toHaveLength(1);
    club.host.use(keys()[0] ?? "", { rx: 5, tx: 0 }, club.clock.now().getTime());
    expect((await statsOf(boris, id)).dataSent).toBe(12_001_005);
  });

  test("unread bytes count although the tunnels end with the panel, as in a container", async () => {
    const { id } = await make(boris);
    const use = (rx: number) => club.host.use(keys()[0] ?? "", { rx, tx: 0 }, club.clock.now().getTime());
    use(1_000);
    await club.restart({ meanwhile: club.host.reboot });
    await club.settle();
    use(20);
    expect((await statsOf(boris, id)).dataSent).toBe(1_020);
  });

  describe("if the machine restores its tunnels by itself", () => {
    const use = (rx: number) => club.host.use(keys()[0] ?? "", { rx, tx: 0 }, club.clock.now().getTime());
    const sent = async (id: string) => (await statsOf(boris, id)).dataSent;

    test("all bytes after it count, even if they exceed the last reading before it", async () => {
      const { id } = await make(boris);
      use(1_000);
      expect(await sent(id)).toBe(1_000);
      club.host.rebootAndRestore();
      use(1_500);
      expect(await sent(id)).toBe(2_500);
      await club.app.lookAtServers();
      await club.settle();
      expect(await sent(id)).toBe(2_500);
      await club.restart();
      expect(await sent(id)).toBe(2_500);
      use(1);
      expect(await sent(id)).toBe(2_501);
    });

    test("also of a device that was read once before and not used then", async () => {
      const { id } = await make(boris);
      use(1_000);
      expect(await sent(id)).toBe(1_000);
      // As an older panel recorded it.
      const tables = club.db.withTables<{ traffic_counters: { life: string | null } }>();
      await tables.updateTable("traffic_counters").set({ life: null }).execute();
      await club.restart();
      await sent(id);
      club.host.rebootAndRestore();
      use(1_500);
      expect(await sent(id)).toBe(2_500);
    });

    test("also of a device that is deleted before anybody has read it", async () => {
      const { id } = await make(boris);
      use(1_000);
      expect(await sent(id)).toBe(1_000);
      club.host.rebootAndRestore();
      use(1_500);
      await club.as(boris).call("DELETE /vpn/configs/{id}", { params: { id } });
      await club.app.lookAtServers();
      await club.settle();
      expect(keys()).toEqual([]);
      expect((await club.app.parts.traffic.statsOf(club.db, [id]))(id).dataSent).toBe(2_500);
    });

    test("nothing counts twice if the machine does not report restarts, before or afterwards", async () => {
      const { id } = await make(boris);
      const { read } = club.host;
      const untold = async () => (await read()).map((each) => ({ ...each, life: null }));
      use(1_000);
      expect(await sent(id)).toBe(1_000);
      club.host.rebootAndRestore();
      club.host.read = untold;
      use(1_500);
      // The first 1,000 cannot be known.
      expect(await sent(id)).toBe(1_500);
      club.host.read = read;
      expect(await sent(id)).toBe(1_500);
      use(10);
      expect(await sent(id)).toBe(1_510);
    });
  });

  test("bytes read before a removal count even if the removal's answer was lost", async () => {
    const { id } = await make(boris);
    club.host.use(keys()[0] ?? "", { rx: 500, tx: 900 }, club.clock.now().getTime());
    const { applyPeers } = club.host;
    club.host.applyPeers = async (wish) => {
      const done = await applyPeers(wish);
      throw new HostUncertain(reason("ssh.lost"), { done });
    };
    expect((await change(boris.username, { is_active: 0, blockConfigs: true })).status).toBe(200);
    await club.settle();
    club.host.applyPeers = applyPeers;
    expect(keys()).toEqual([]);
    const counters = await club.app.parts.traffic.statsOf(club.db, [id]);
    expect(counters(id)).toMatchObject({ dataReceived: 900, dataSent: 500 });
  });

  test("all viewers of cards share one reading of a server, at most five seconds old", async () => {
    const anna = await club.member();
    const [mine, hers] = [await make(boris), await make(anna)];
    const look = async (owner: Person) => (await club.as(owner).call("GET /vpn/stats")).body;
    club.clock.advance(6_000);
    const reads = club.host.calls.read;
    const nothing = {
      lastHandshake: null,
      dataReceived: 0,
      dataSent: 0,
      speed: { received: 0, sent: 0 },
      serverAwaySince: null,
    };
    expect([await look(boris), await look(anna)]).toEqual([
      [{ id: mine.id, ...nothing }],
      [{ id: hers.id, ...nothing }],
    ]);
    expect(club.host.calls.read).toBe(reads + 1);
    const at = club.clock.now().getTime();
    for (const key of keys()) club.host.use(key, { rx: 10, tx: 20 }, at);
    club.clock.advance(4_000);
    expect(await look(boris)).toEqual([{ id: mine.id, ...nothing }]);
    expect(club.host.calls.read).toBe(reads + 1);
    club.clock.advance(2_000);
    const used = {
      lastHandshake: at,
      dataReceived: 20,
      dataSent: 10,
      speed: { received: 20 / 6, sent: 10 / 6 },
      serverAwaySince: null,
    };
    expect(await look(boris)).toEqual([{ id: mine.id, ...used }]);
    expect(await look(anna)).toEqual([{ id: hers.id, ...used }]);
    expect(club.host.calls.read).toBe(reads + 2);
  });

  test("a speed is bytes between two readings: none at rest, and an old one is not shown", async () => {
    const { id, serverId } = await make(boris);
    const admin = club.as(await club.admin());
    const speed = async () => (await admin.call("GET /admin/configs/{id}/stats", { params: { id } })).body.speed;
    club.clock.advance(3_000);
    await speed();
    const use = (rx: number, tx: number) => {
      for (const key of keys()) club.host.use(key, { rx, tx }, club.clock.now().getTime());
    };
    use(3_000, 30_000);
    club.clock.advance(3_000);
    expect(await speed()).toEqual({ received: 10_000, sent: 1_000 });
    // Between readings it stays.
    use(3_000, 0);
    club.clock.advance(1_000);
    expect(await speed()).toEqual({ received: 10_000, sent: 1_000 });
    club.clock.advance(2_000);
    expect(await speed()).toEqual({ received: 0, sent: 1_000 });
    club.clock.advance(3_000);
    expect(await speed()).toEqual({ received: 0, sent: 0 });
    // A machine that cannot be read gives nothing new.
    club.clock.advance(91_000);
    expect(club.app.parts.reconciler.speedOf(serverId, id)).toBeNull();
  });

  describe("a deleted device is cut off without reading the others, and its last bytes are counted later", () => {
    const sentBy = async (id: string) => (await club.app.parts.traffic.statsOf(club.db, [id]))(id).dataSent;
    const standing = () => club.host.devicesOn("wg0");
    const lookAgain = async () => {
      await club.app.lookAtServers();
      await club.settle();
    };
    let id: string;
    beforeEach(async () => {
      ({ id } = await make(boris));
      await statsOf(boris, id);
      club.host.use(keys()[0] ?? "", { rx: 500, tx: 0 }, club.clock.now().getTime());
      const reads = club.host.calls.read;
      await club.as(boris).call("DELETE /vpn/configs/{id}", { params: { id } });
      expect(keys()).toEqual([]);
      expect(club.host.calls.read).toBe(reads);
      expect(standing()).toMatchObject([{ allowedIps: [], rxBytes: 500 }]);
    });

    test("with the next round its peer is gone", async () => {
      await lookAgain();
      expect(standing()).toEqual([]);
      expect(await sentBy(id)).toBe(500);
    });

    test("also if a reading came before, and counted them already", async () => {
      club.clock.advance(3_000);
      await club.app.parts.reconciler.readAll();
      expect(await sentBy(id)).toBe(500);
      await lookAgain();
      expect(await sentBy(id)).toBe(500);
    });

    test("also if its keys were destroyed before", async () => {
      club.clock.advance(61_000);
      await club.app.parts.configs.purgePast();
      expect((await club.app.parts.configs.byIds(club.db, [id]))[0]?.address).toBe("");
      await lookAgain();
      expect(standing()).toEqual([]);
      expect(await sentBy(id)).toBe(500);
    });

    test("also if the panel stopped before", async () => {
      await club.restart();
      expect(standing()).toEqual([]);
      expect(await sentBy(id)).toBe(500);
    });

    test("and its key can be used by another device only then", async () => {
      const publicKey = standing()[0]?.publicKey ?? "";
      club.clock.advance(61_000);
      await club.app.parts.configs.purgePast();
      const body = await configInput(club, boris, { name: "again", publicKey });
      expect((await club.as(boris).call("POST /vpn/configs", { body })).code).toBe("config.key_taken");
      await lookAgain();
      const again = (await club.as(boris).call("POST /vpn/configs", { body })).body;
      expect(await sentBy(again.id)).toBe(0);
      expect(await sentBy(id)).toBe(500);
    });
  });

  test("another's config, an unknown one and a deleted one have no stats, which ends polling", async () => {
    const { id } = await make(boris);
    await club.as(boris).call("DELETE /vpn/configs/{id}", { params: { id } });
    expect((await club.as(boris).call("GET /vpn/stats/{id}", { params: { id } })).status).toBe(404);
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
