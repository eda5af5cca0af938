import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { configInput } from "../../../../testing/config-input.ts";
import type { Person } from "../../../../testing/start-club.ts";
import { boris, club, keys, listOf, make, openClubOnWire } from "../../../../testing/wire-club.ts";

openClubOnWire();

const DAY_MS = 86_400_000;

describe("a round over a server", () => {
  let owner: Person;
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
    owner = await club.member({ configLimit: 4 });
    for (const name of ["laptop", "phone", "tv"]) await make(owner, name);
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
    const body = await configInput(club, owner, { name: "radio" });
    // Once to add it, and once for the round.
    expect(
      await openedBy(async () => {
        await club.as(owner).call("POST /vpn/configs", { body });
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
    const { id } = await make(owner, "radio");
    club.host.away = null;
    const { update } = servers;
    servers.update = async (tx, serverId, change) => {
      if (change.reconciled_at !== undefined) throw new Error("the disk is full");
      return update(tx, serverId, change);
    };
    await look();
    servers.update = update;
    expect([keys().length, (await listOf(owner)).find((config) => config.id === id)?.state]).toEqual([4, "pending"]);
    await look();
    expect((await listOf(owner)).find((config) => config.id === id)?.state).toBe("applied");
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
