import { reason } from "@krug/domain/reasons";
import { sql } from "kysely";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { configInput } from "../../../../testing/config-input.ts";
import type { Person } from "../../../../testing/start-club.ts";
import { boris, change, club, keys, listOf, make, openClubOnWire } from "../../../../testing/wire-club.ts";
import { HostUncertain } from "../../../hosts/host.ts";

openClubOnWire();

const statsOf = async (owner: Person, id: string) => {
  club.clock.advance(3_000);
  return (await club.as(owner).call("GET /vpn/configs/{id}/stats", { params: { id } })).body;
};

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

  test("many who look at once do not have a machine read without limit: then they see the last reading", async () => {
    const { id } = await make(boris);
    const read = vi.spyOn(club.host, "read");
    const now = vi.spyOn(performance, "now").mockReturnValue(performance.now());
    onTestFinished(() => now.mockRestore());
    for (let looks = 0; looks < 60; looks += 1) await statsOf(boris, id);
    expect(read.mock.calls.length).toBeLessThanOrEqual(40);
    now.mockRestore();
    await expect
      .poll(async () => {
        club.host.use(keys()[0] ?? "", { rx: 100, tx: 0 }, club.clock.now().getTime());
        return (await statsOf(boris, id)).dataSent;
      })
      .toBeGreaterThan(0);
  });

  test("whoever looks at a server that is away uses up no readings of others", async () => {
    const { id } = await make(boris);
    const now = vi.spyOn(performance, "now").mockReturnValue(performance.now());
    onTestFinished(() => now.mockRestore());
    const note = (since: number | null) => sql`update servers set unreachable_since = ${since}`.execute(club.db);
    await note(club.clock.now().getTime());
    for (let looks = 0; looks < 60; looks += 1) await statsOf(boris, id);
    await note(null);
    club.host.use(keys()[0] ?? "", { rx: 100, tx: 0 }, club.clock.now().getTime());
    expect(await statsOf(boris, id)).toMatchObject({ dataSent: 100 });
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
