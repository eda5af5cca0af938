import { daysFromTo } from "@krug/domain/traffic-span";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { configInput } from "../../../../testing/config-input.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";

const DAY_MS = 86_400_000;
const FIRST_DAY = "2026-11-21";

let club: Club;
let admin: Person;
let moderator: Person;
let today: string;
/** Each config's owner, and the keys it is summed under. */
const placed = new Map<
  string,
  { owner: string; isVip: boolean; device: string; services: string[]; interfaceId: string }
>();

/**
 * Five configs of three members, used at odd times over eighty days, across ends of months and years. In the middle the club
 * moves to another zone, where it is still yesterday. Then two configs get other services, two devices move to another interface
 * and are used in both places, and one member and one config are deleted.
 */
beforeAll(async () => {
  club = await startClub();
  const forever = { subscriptionEnd: club.clock.now().getTime() + 2_000 * DAY_MS, configLimit: -1 };
  const members = {
    anna: await club.member({ username: "anna", ...forever }),
    boris: await club.member({ username: "boris", ...forever }),
    vip: await club.member({ username: "vip", ...forever, row: { is_vip: 1 } }),
  };
  const keys: string[] = [];
  const owners: [keyof typeof members, "phone" | "computer"][] = [
    ["anna", "phone"],
    ["anna", "computer"],
    ["boris", "phone"],
    ["vip", "phone"],
    ["vip", "computer"],
  ];
  const idOf = new Map<string, string>();
  for (const [place, [username, deviceType]] of owners.entries()) {
    const owner = members[username];
    const input = await configInput(club, owner, { name: `device-${place}`, deviceType });
    const { id } = (await club.as(owner).call("POST /vpn/configs", { body: input })).body;
    await club.settle();
    const [row] = await club.app.parts.configs.byIds(club.db, [id]);
    keys.push(row?.public_key ?? "");
    idOf.set(row?.public_key ?? "", id);
    placed.set(id, { owner: owner.id, isVip: username === "vip", device: deviceType, ...input });
  }
  const steps = fc.sample(
    fc.record({
      minutes: fc.noBias(fc.integer({ min: 12, max: 3_600 })),
      who: fc.subarray([0, 1, 2, 3, 4]),
      bytes: fc.integer({ min: 1, max: 10 ** 9 }),
    }),
    { numRuns: 60, seed: 7 },
  );
  for (const [number, { minutes, who, bytes }] of steps.entries()) {
    club.clock.advance(minutes * 60_000);
    if (number === 30) {
      admin = await club.admin({ username: "first-chief" });
      await club.as(admin).call("PUT /admin/settings", { body: { clubTimeZone: "America/Los_Angeles" } });
    }
    if (number === 40) {
      admin = await club.admin({ username: "middle-chief" });
      const added = { name: "Another", ips: ["9.9.9.0/24"], deviceTypes: ["all" as const] };
      const another = (await club.as(admin).call("POST /services", { body: added })).body.id;
      const of = (username: string) => [...placed].filter(([, { owner }]) => owner === members[username as "anna"].id);
      const [[first] = [], [second] = []] = [of("anna")[0], of("vip")[0]];
      // One replaces its service, another gets a second one.
      for (const [id, owner, services] of [
        [first ?? "", members.anna, [another]],
        [second ?? "", members.vip, [...(placed.get(second ?? "")?.services ?? []), another]],
      ] as const) {
        const change = { params: { id }, body: { services: [...services] } };
        const { username, password } = owner;
        const { token } = (await club.guest.call("POST /auth/login", { body: { username, password } })).body;
        expect((await club.withToken(token).call("PUT /vpn/configs/{id}", change)).status).toBe(200);
        Object.assign(placed.get(id) ?? {}, { services });
      }
    }
    if (number === 45) {
      admin = await club.admin({ username: "moving-chief" });
      const [server] = (await club.as(admin).call("GET /admin/servers")).body;
      const made = await club.as(admin).send("POST", `/api/admin/servers/${server?.id}/create-interface`, {});
      const { id: interfaceId } = (made.body as { interface: { id: string } }).interface;
      for (const owner of [members.anna, members.vip]) {
        const { username, password } = owner;
        const { token } = (await club.guest.call("POST /auth/login", { body: { username, password } })).body;
        const id = [...placed].find(([, device]) => device.owner === owner.id)?.[0] ?? "";
        await club.withToken(token).call("GET /vpn/configs/{id}/download", { params: { id } });
        const move = { params: { id }, body: { interfaceId } };
        expect((await club.withToken(token).call("PUT /vpn/configs/{id}", move)).body.moving).not.toBeNull();
        Object.assign(placed.get(id) ?? {}, { interfaceId });
      }
      await club.settle();
    }
    if (number === 50) {
      admin = await club.admin({ username: "second-chief" });
      await club.as(admin).call("DELETE /users/{id}", { params: { id: members.boris.id } });
      for (const [id, { owner, device }] of placed)
        if (owner === members.vip.id && device === "computer")
          await club.as(admin).call("DELETE /vpn/configs/{id}", { params: { id } });
      await club.settle();
      club.clock.advance(5 * 60_000);
      await club.app.parts.configs.purgePast();
    }
    for (const place of who) {
      const key = keys[place] ?? "";
      for (const { name, peers } of club.host.interfaces.values())
        if (peers.some(({ publicKey, allowedIps }) => publicKey === key && allowedIps.length > 0))
          club.host.use(key, { rx: bytes, tx: bytes * 3 + place }, club.clock.now().getTime(), name);
    }
    await club.app.parts.reconciler.readAll();
    await club.app.parts.memberUsage.countDays();
  }
  admin = await club.admin({ username: "chief" });
  moderator = await club.moderator({ username: "helper" });
  today = club.app.parts.clubTime.dayOf(club.clock.now().getTime());
}, 120_000);
afterAll(() => club.stop());

interface Used {
  config_id: string;
  rx: number;
  tx: number;
}

/** The rows themselves, added one by one. */
async function added(
  of: { days: { first: string; last: string } } | { hours: { first: number; last: number } },
  withVip: boolean,
) {
  const tables = club.db.withTables<{
    traffic_hourly: Used & { hour: number };
    traffic_daily: Used & { day: string };
  }>();
  const rows =
    "days" in of
      ? await tables
          .selectFrom("traffic_daily")
          .selectAll()
          .where("day", ">=", of.days.first)
          .where("day", "<=", of.days.last)
          .execute()
      : await tables
          .selectFrom("traffic_hourly")
          .selectAll()
          .where("hour", ">=", of.hours.first)
          .where("hour", "<=", of.hours.last)
          .execute();
  const sums = new Map<string, { configs: Set<string>; received: number; sent: number }>();
  for (const { config_id, rx, tx } of rows) {
    const config = placed.get(config_id);
    if (config === undefined || (config.isVip && !withVip)) continue;
    for (const key of ["all", config.owner, config.device, config.interfaceId, ...config.services]) {
      const sum = sums.get(key) ?? { configs: new Set(), received: 0, sent: 0 };
      sum.configs.add(config_id);
      sums.set(key, { ...sum, received: sum.received + tx, sent: sum.sent + rx });
    }
  }
  return (key: string) => {
    const sum = sums.get(key);
    return sum && [sum.configs.size, sum.received, sum.sent];
  };
}

test("a span's usage is the sum of its days and hours, whatever the span and whoever asks", async () => {
  expect(today > "2027-01-15", "the year has turned").toBe(true);
  const days = daysFromTo(FIRST_DAY, today);
  const boris = [...placed.values()].find(
    ({ isVip, owner }) => !isVip && [...placed.values()].filter((one) => one.owner === owner).length === 1,
  )?.owner;
  const agrees = async (from: string, to: string, who: Person) => {
    const query = { from, to };
    const answer = (await club.as(who).call("GET /admin/statistics/breakdown", { query: query as never })).body;
    const startOf = (day: string) => club.app.parts.clubTime.startOfDay(club.app.parts.clubTime.readWritten(day));
    const span =
      answer.step === "hour"
        ? {
            hours: {
              first: startOf(from),
              last: Math.min(club.clock.now().getTime(), club.app.parts.clubTime.readWritten(to)),
            },
          }
        : { days: { first: from, last: to } };
    const expected = await added(span, who === admin);
    const told = (key: string, of: { configs: number; received: number; sent: number }) =>
      expect([key, of.configs, of.received, of.sent]).toEqual([key, ...(expected(key) ?? [])]);
    for (const { member, ...of } of answer.members) told(member.id, of);
    for (const { deviceType, ...of } of answer.devices) told(deviceType, of);
    for (const { id, ...of } of answer.services) told(id, of);
    expect([answer.received, answer.sent]).toEqual(expected("all")?.slice(1) ?? [0, 0]);
    for (const { id, ...of } of answer.interfaces) told(id, of);
    const sum = (of: "configs" | "received" | "sent") => answer.interfaces.reduce((all, one) => all + one[of], 0);
    expect([sum("configs"), sum("received"), sum("sent")]).toEqual(expected("all") ?? [0, 0, 0]);
    const owners = new Set([...placed.values()].map(({ owner }) => owner));
    const named = [...owners].filter((owner) => owner !== boris && expected(owner) !== undefined);
    expect(answer.members.map(({ member }) => member.id).toSorted()).toEqual(named.toSorted());
  };
  await fc.assert(
    fc.asyncProperty(fc.nat(days.length - 1), fc.nat(days.length - 1), fc.boolean(), async (a, b, isAdmin) => {
      const [from = "", to = ""] = [days[Math.min(a, b)], days[Math.max(a, b)]];
      await agrees(from, to, isAdmin ? admin : moderator);
    }),
    { numRuns: 40, seed: 11 },
  );
  for (const day of days.slice(-34)) await agrees(day, day, moderator);
});

test("the heaviest users of a span are found among many, also if others used more before and after it", async () => {
  const asked = async (query: object) =>
    (await club.as(admin).call("GET /admin/statistics/breakdown", { query: query as never })).body.members;
  for (const span of ["day", "month", "year"]) {
    const all = await asked({ span, limit: 100 });
    for (const limit of [1, 2]) expect(await asked({ span, limit })).toEqual(all.slice(0, limit));
  }
});
