import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { configInput } from "../../../../testing/config-input.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";

const MINUTE_MS = 60_000;
const STEP_MS = 5 * MINUTE_MS;

let club: Club;
let admin: Person;
let owners: Person[];
let interfaceId: string;
beforeEach(async () => {
  club = await startClub();
  admin = await club.admin();
  interfaceId = (await club.as(admin).call("GET /admin/servers/interfaces")).body[0]!.id;
  owners = [];
  for (let each = 0; each < 6; each += 1) {
    const owner = await club.member();
    await club.as(owner).call("POST /vpn/configs", { body: await configInput(club, owner) });
    owners.push(owner);
  }
  await club.app.lookAtServers();
  await club.settle();
});
afterEach(() => club.stop());

const keys = () => club.host.peers().map(({ publicKey }) => publicKey);
/** Five minutes in which this many devices stay online; then the panel counts. */
const pass = async (online: number) => {
  // A handshake of exactly five minutes ago still counts.
  club.clock.advance(STEP_MS + 1_000);
  for (const key of keys().slice(0, online)) club.host.use(key, { rx: 9, tx: 9 }, club.clock.now().getTime());
  await club.app.lookAtServers();
  await club.settle();
  await club.app.parts.outageDetection.timed[0]?.run();
};
const read = async (span: "day" | "month" = "day") =>
  (
    await club
      .as(admin)
      .call("GET /admin/servers/interfaces/{id}/reach", { params: { id: interfaceId }, query: { span } })
  ).body;
const gone = async () => (await club.as(admin).call("GET /admin/servers/interfaces")).body[0]?.goneSince;
const told = async (who = admin) =>
  (await club.as(who).call("GET /inbox")).body.flatMap(({ kind, params }) =>
    kind === "interface_gone" || kind === "interface_back" ? [{ kind, params }] : [],
  );

describe("how many devices are online", () => {
  test("is counted among those seen within a day, step by step", async () => {
    await pass(0);
    await pass(6);
    await pass(2);
    await pass(2);
    const { points, tunnel, step } = await read();
    expect(step).toBe(300);
    expect(tunnel.type).toBe("wireguard");
    expect(points.map(({ expected, online }) => [expected, online])).toEqual([
      [6, 6],
      [6, 2],
    ]);
    club.clock.advance(24 * 60 * MINUTE_MS);
    admin = await club.admin();
    await pass(1);
    await pass(1);
    expect((await read()).points.map(({ expected, online }) => [expected, online])).toEqual([[1, 1]]);
    expect((await read("month")).points.at(0)).toMatchObject({ expected: 6 });
  });

  test("leaves out devices that may not be online: blocked, deleted, without a subscription", async () => {
    await pass(6);
    const [blocked, deleted] = owners as [Person, Person];
    await club.as(admin).call("PUT /users/{id}", {
      params: { id: blocked.id },
      body: { isActive: false, blockConfigs: true },
    });
    const [config] = (await club.as(deleted).call("GET /vpn/configs")).body;
    await club.as(deleted).call("DELETE /vpn/configs/{id}", { params: { id: config!.id } });
    await club.settle();
    await pass(0);
    await pass(0);
    expect((await read()).points.at(-1)).toMatchObject({ expected: 4 });
  });

  test("is not recorded for an interface that is off or down: none could be online", async () => {
    await pass(6);
    club.host.away = "no answer";
    await pass(0);
    await pass(0);
    club.host.away = null;
    await pass(6);
    await pass(6);
    expect((await read()).points).toHaveLength(2);
  });
});

describe("devices that drop at once", () => {
  beforeEach(async () => {
    for (let each = 0; each < 3; each += 1) await pass(6);
  });

  test("are not said to go when the time comes that a clock which was ahead has noted", async () => {
    const AHEAD_MS = 20 * 60 * MINUTE_MS;
    const night = club.clock.now().getTime();
    club.clock.advance(AHEAD_MS);
    for (let each = 0; each < 3; each += 1) await pass(0);
    club.clock.advance(night - club.clock.now().getTime());
    for (let each = 0; each < 24; each += 1) await pass(6);
    club.clock.advance(AHEAD_MS - 26 * STEP_MS);
    for (let each = 0; each < 8; each += 1) await pass(6);
    admin = await club.admin();
    expect((await read()).points.filter(({ online }) => online < 6)).toEqual([]);
    expect(await gone()).toBeNull();
  });

  test("notify staff once, also after a restart, and again once when they are back", async () => {
    const moderator = await club.moderator();
    await pass(0);
    expect(await told()).toEqual([]);
    await pass(0);
    const since = new Date(club.clock.now().getTime() - STEP_MS);
    expect(await told()).toMatchObject([{ kind: "interface_gone", params: { interface: "Interface 1" } }]);
    expect(Math.abs(Date.parse((await gone()) ?? "") - since.getTime())).toBeLessThan(STEP_MS);
    expect(await told(moderator)).toHaveLength(1);
    await club.restart();
    await pass(0);
    await pass(0);
    expect(await told()).toHaveLength(1);
    await pass(5);
    await pass(5);
    expect((await told()).map(({ kind }) => kind).sort()).toEqual(["interface_back", "interface_gone"]);
    expect(await gone()).toBeNull();
    await pass(5);
    expect(await told()).toHaveLength(2);
  });

  test("are not reported if the panel itself finds the tunnel down", async () => {
    await club.transact(async (tx) => {
      await tx
        .withTables<{ probes: Record<string, string | number> }>()
        .insertInto("probes")
        .values({
          interface_id: interfaceId,
          target: "127.0.0.1 51820",
          state: "not_running",
          since: club.clock.now().getTime(),
          checked_at: club.clock.now().getTime() + 2 * STEP_MS,
          greeted_at: 0,
          from_inside: 1,
        })
        .execute();
    });
    await pass(0);
    await pass(0);
    expect(await told()).toEqual([]);
  });

  test("are not inferred from a night in which the panel was stopped", async () => {
    club.clock.advance(8 * 60 * MINUTE_MS);
    admin = await club.admin();
    await pass(0);
    await pass(0);
    await pass(0);
    expect(await told()).toEqual([]);
  });

  test("are deleted with their interface", async () => {
    await pass(0);
    await pass(0);
    const [row] = (await club.as(admin).call("GET /admin/servers/interfaces")).body;
    const path = `/api/admin/servers/${row?.serverId}/interfaces/${interfaceId}?configs=6`;
    expect((await club.as(admin).send("DELETE", path)).status).toBe(204);
    expect((await club.allRows()).get("reach_cliffs")).toEqual([]);
  });
});

test("figures are stored for their time and no longer", async () => {
  await pass(6);
  const count = async () => (await club.allRows()).get("reach_samples")?.length;
  expect(await count()).toBe(2);
  club.clock.advance(26 * 60 * MINUTE_MS);
  await club.app.parts.outageDetection.forgetOld();
  expect(await count()).toBe(1);
  club.clock.advance(31 * 24 * 60 * MINUTE_MS);
  await club.app.parts.outageDetection.forgetOld();
  expect(await count()).toBe(0);
});
