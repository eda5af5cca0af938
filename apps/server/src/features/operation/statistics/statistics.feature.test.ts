import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { configInput } from "../../../../testing/config-input.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let club: Club;
let admin: Person;
let moderator: Person;
let anna: Person;
let vip: Person;
let keys: Record<"phone" | "laptop" | "vips", string>;

const make = async (owner: Person, name: string, deviceType: "phone" | "computer") => {
  const before = new Set(club.host.peers().map(({ publicKey }) => publicKey));
  const body = await configInput(club, owner, { name, deviceType });
  const { id } = (await club.as(owner).call("POST /vpn/configs", { body })).body;
  await club.settle();
  return { id, key: club.host.peers().find(({ publicKey }) => !before.has(publicKey))?.publicKey ?? "" };
};
/** Bytes as the device sees them. */
const use = async (key: string, received: number, sent: number) => {
  club.host.use(key, { rx: sent, tx: received }, club.clock.now().getTime());
  await club.app.parts.reconciler.readAll();
};
const traffic = async (query: object, who = admin) =>
  (await club.as(who).call("GET /admin/statistics/traffic", { query: query as never })).body;
const breakdown = async (query: object, who = admin) =>
  (await club.as(who).call("GET /admin/statistics/breakdown", { query: query as never })).body;
const sums = ({ received, sent }: { received: number; sent: number }) => [received, sent];

/** Three devices used over three days, starting on Saturday noon in Moscow. */
beforeAll(async () => {
  club = await startClub();
  const forever = { subscriptionEnd: club.clock.now().getTime() + 2_000 * DAY_MS };
  anna = await club.member({ username: "anna", ...forever, row: { display_name: "Анна" } });
  vip = await club.member({ username: "vip", ...forever, row: { is_vip: 1 } });
  const [phone, laptop, vips] = [
    await make(anna, "phone", "phone"),
    await make(anna, "laptop", "computer"),
    await make(vip, "secret", "phone"),
  ];
  keys = { phone: phone.key, laptop: laptop.key, vips: vips.key };
  await use(keys.phone, 1_000, 100);
  club.clock.advance(HOUR_MS);
  await use(keys.phone, 2_000, 200);
  await use(keys.vips, 50_000, 5_000);
  club.clock.advance(2 * DAY_MS);
  await use(keys.phone, 4_000, 400);
  await use(keys.laptop, 8_000, 800);
  // A staff session does not last that long.
  admin = await club.admin({ username: "chief" });
  moderator = await club.moderator({ username: "helper" });
});
afterAll(() => club.stop());

describe("traffic of one member", () => {
  test("is that of the member's own devices, day by day and month by month, by their id or username", async () => {
    const days = await traffic({ span: "month", member: "anna" });
    expect(sums(days)).toEqual([15_000, 1_500]);
    expect(days.steps).toHaveLength(30);
    expect(days.steps.filter(({ received }) => received > 0)).toEqual([
      { at: "2026-11-21", received: 3_000, sent: 300 },
      { at: "2026-11-23", received: 12_000, sent: 1_200 },
    ]);
    const months = await traffic({ span: "year", member: anna.id });
    expect([months.step, months.steps.length]).toEqual(["month", 12]);
    expect(months.steps.at(-1)).toEqual({ at: "2026-11", received: 15_000, sent: 1_500 });
  });

  test("a moderator gets none for a VIP member, as for an unknown one", async () => {
    const codeFor = async (member: string, who: Person, as?: "moderator") =>
      (await club.as(who).call("GET /admin/statistics/traffic", { query: { member, ...(as ? { as } : {}) } })).code;
    expect(await codeFor(vip.id, moderator)).toBe("member.not_found");
    expect(await codeFor("vip", admin, "moderator")).toBe("member.not_found");
    expect(await codeFor("nobody", admin)).toBe("member.not_found");
    expect(sums(await traffic({ span: "month", member: "vip" }))).toEqual([50_000, 5_000]);
  });
});

describe("traffic", () => {
  test("of the last 24 hours is by hour, by the club's clock, empty hours included", async () => {
    const answer = await traffic({});
    expect([answer.zone, answer.step, answer.from, answer.to]).toEqual([
      "Europe/Moscow",
      "hour",
      "2026-11-22T14:00",
      "2026-11-23T13:00",
    ]);
    expect(answer.steps).toHaveLength(24);
    expect(answer.steps.at(-1)).toEqual({ at: "2026-11-23T13:00", received: 12_000, sent: 1_200 });
    expect(sums(answer)).toEqual([12_000, 1_200]);
  });

  test("of a month is by day, of a year by month, and both add up to the same", async () => {
    const month = await traffic({ span: "month" });
    expect([month.steps.length, month.from, month.to]).toEqual([30, "2026-10-25", "2026-11-23"]);
    expect(month.steps.slice(-3).map(({ received }) => received)).toEqual([53_000, 0, 12_000]);
    const year = await traffic({ span: "year" });
    expect(year.steps.map(({ at }) => at)).toEqual([
      ...["2025-12", "2026-01", "2026-02", "2026-03", "2026-04", "2026-05", "2026-06", "2026-07", "2026-08"],
      ...["2026-09", "2026-10", "2026-11"],
    ]);
    expect([sums(month), sums(year)]).toEqual([
      [65_000, 6_500],
      [65_000, 6_500],
    ]);
  });

  test("of one day is by hour while hours are stored, and they add up to the day", async () => {
    const day = await traffic({ from: "2026-11-21", to: "2026-11-21" });
    expect([day.step, day.from, day.to, day.steps.length]).toEqual([
      "hour",
      "2026-11-21T00:00",
      "2026-11-21T23:00",
      24,
    ]);
    expect(day.steps.filter(({ received }) => received > 0)).toEqual([
      { at: "2026-11-21T12:00", received: 1_000, sent: 100 },
      { at: "2026-11-21T13:00", received: 52_000, sent: 5_200 },
    ]);
    expect(sums(await traffic({ from: "2026-11-21", to: "2026-11-23" }))).toEqual([65_000, 6_500]);
  });

  test.each([
    [{ from: "2026-11-22", to: "2026-11-21" }, "statistics.span_backwards"],
    [{ from: "2026-11-24" }, "statistics.span_in_future"],
    [{ to: "2020-01-01" }, "statistics.span_backwards"],
    [{ from: "yesterday" }, "request.invalid"],
  ])("an invalid span is refused: %o", async (query, code) => {
    const search = new URLSearchParams(query as Record<string, string>).toString();
    for (const what of ["traffic", "breakdown"])
      expect((await club.as(admin).send("GET", `/api/admin/statistics/${what}?${search}`)).code).toBe(code);
  });

  test("a span starts no earlier than the history, and ends no later than today", async () => {
    const all = await traffic({ from: "2001-01-01", to: "2099-01-01" });
    expect([all.from, all.to, all.step, all.steps.length]).toEqual(["2024-11", "2026-11", "month", 25]);
    expect(sums(all)).toEqual([65_000, 6_500]);
  });
});

describe("a breakdown", () => {
  test("members, services, interfaces and kinds of device, the heaviest first, each with its exact share of the span", async () => {
    const whole = await breakdown({ span: "month" });
    expect(sums(whole)).toEqual([65_000, 6_500]);
    expect(whole.members.map(({ member, configs, ...used }) => [member.username, configs, ...sums(used)])).toEqual([
      ["vip", 1, 50_000, 5_000],
      ["anna", 2, 15_000, 1_500],
    ]);
    expect(whole.devices.map(({ deviceType, configs, ...used }) => [deviceType, configs, ...sums(used)])).toEqual([
      ["phone", 2, 57_000, 5_700],
      ["computer", 1, 8_000, 800],
    ]);
    expect(whole.services.map(({ configs, ...used }) => [configs, ...sums(used)])).toEqual([[3, 65_000, 6_500]]);
    expect(whole.interfaces.map(({ name, serverName, configs }) => [name, serverName, configs])).toEqual([
      ["Interface 1", "Этот сервер", 3],
    ]);
    const today = await breakdown({ from: "2026-11-22", to: "2026-11-23" });
    expect(today.members.map(({ member, ...used }) => [member.username, ...sums(used)])).toEqual([
      ["anna", 12_000, 1_200],
    ]);
    expect(sums(await breakdown({}))).toEqual([12_000, 1_200]);
    expect((await breakdown({ span: "month", limit: 1 })).members).toHaveLength(1);
  });

  test("a moderator, and an admin who looks as one, sees VIP members' part in no figure", async () => {
    for (const [who, as] of [
      [moderator, {}],
      [admin, { as: "moderator" }],
    ] as const) {
      for (const query of [{ span: "month" }, { span: "year" }, { from: "2026-11-21", to: "2026-11-21" }]) {
        const [sum, parts] = [await traffic({ ...query, ...as }, who), await breakdown({ ...query, ...as }, who)];
        const seen = query.from === undefined ? [15_000, 1_500] : [3_000, 300];
        expect([sums(sum), sums(parts)]).toEqual([seen, seen]);
        expect(parts.members.map(({ member }) => member.username)).toEqual(["anna"]);
        expect(parts.devices.reduce((all, { received }) => all + received, 0)).toBe(seen[0]);
        expect(parts.services[0]?.received).toBe(seen[0]);
      }
      const now = (await club.as(who).call("GET /admin/statistics/now", { query: as as never })).body;
      expect([now.configs, now.newInWeek, now.online]).toEqual([2, 2, 2]);
    }
  });

  test("a member who becomes VIP takes their past out of a moderator's figures, and returns it when no longer VIP", async () => {
    const set = (isVip: boolean) =>
      club.as(admin).call("PUT /users/{id}", { params: { id: anna.id }, body: { isVip } });
    await set(true);
    expect(sums(await traffic({ span: "year" }, moderator))).toEqual([0, 0]);
    await set(false);
    expect(sums(await traffic({ span: "year" }, moderator))).toEqual([15_000, 1_500]);
  });
});

test("devices are counted by server: online, pending, and since when it is down", async () => {
  const now = async () => (await club.as(admin).call("GET /admin/statistics/now")).body;
  expect(await now()).toMatchObject({ configs: 3, online: 2, newInWeek: 3, pending: 0 });
  club.clock.advance(6 * 60_000);
  expect((await now()).online).toBe(0);
  expect((await now()).servers).toMatchObject([{ status: "silent", unreachableSince: null }]);
  club.host.away = "it is being carried to another room";
  await club.as(anna).call("POST /vpn/configs", { body: await configInput(club, anna, { name: "third" }) });
  await club.settle();
  const { pending, servers } = await now();
  expect([pending, servers.map((server) => [server.pending, server.unreachableSince !== null])]).toEqual([
    1,
    [[1, true]],
  ]);
  club.host.away = null;
  await club.app.lookAtServers();
  await club.settle();
  expect(await now()).toMatchObject({ pending: 0, servers: [{ status: "connected", unreachableSince: null }] });
});

test("deleted configs and members keep their part of the sums and are not named", async () => {
  const boris = await club.member({ username: "boris" });
  const { key } = await make(boris, "short-lived", "phone");
  await use(key, 700, 70);
  const [received = 0] = sums(await traffic({ span: "month" }));
  await club.as(admin).call("DELETE /users/{id}", { params: { id: boris.id } });
  await club.settle();
  const after = await breakdown({ span: "month" });
  expect([after.received, after.interfaces[0]?.received]).toEqual([received, received]);
  expect(after.members.map(({ member }) => member.username)).not.toContain("boris");
  await club.as(admin).call("DELETE /users/{id}", { params: { id: vip.id } });
  expect(sums(await traffic({ span: "month" }, moderator))[0], "a VIP member's part stays hidden").toBe(
    received - 50_000,
  );
});

test.each([
  ["Asia/Kolkata", 18.5],
  ["Asia/Kathmandu", 18.25],
])(
  "if the club's hours do not start with those of UTC, its hours still add up to its days: %s",
  async (zone, midnight) => {
    const odd = await startClub({ environment: { CLUB_TIME_ZONE: zone } });
    try {
      const member = await odd.member();
      await odd.as(member).call("POST /vpn/configs", { body: await configInput(odd, member) });
      await odd.settle();
      const key = odd.host.peers()[0]?.publicKey ?? "";
      const spend = async () => {
        odd.host.use(key, { rx: 1, tx: 10 }, odd.clock.now().getTime());
        await odd.app.parts.reconciler.readAll();
      };
      // It is nine in UTC: a minute before the club's midnight, and a minute after.
      odd.clock.advance((midnight - 9) * HOUR_MS - 60_000);
      await spend();
      odd.clock.advance(120_000);
      await spend();
      await spend();
      const chief = await odd.admin();
      for (const [day, received] of [
        ["2026-11-21", 10],
        ["2026-11-22", 20],
      ] as const) {
        const query = { from: day, to: day };
        const hourly = (await odd.as(chief).call("GET /admin/statistics/traffic", { query })).body;
        expect([hourly.step, hourly.received]).toEqual(["hour", received]);
      }
    } finally {
      await odd.stop();
    }
  },
);
