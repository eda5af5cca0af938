import { DAY_MS, HOUR_MS, MINUTE_MS } from "@krug/domain/moment";
import { expect, onTestFinished, test } from "vitest";
import { configInput } from "../../../../testing/config-input.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";
import { asIfChanged, statementsOutside } from "../../../../testing/statements-outside.ts";

async function aClub(): Promise<Club> {
  const club = await startClub();
  onTestFinished(() => club.stop());
  return club;
}
const pulse = async (club: Club, who: Person, query = {}) =>
  (await club.as(who).call("GET /admin/pulse", { query })).body;

test("an empty club has a pulse: nobody ends, nobody pays, every hour and month is there", async () => {
  const club = await aClub();
  const admin = await club.admin();
  const seen = await pulse(club, admin);
  expect(seen).toMatchObject({
    ending: { count: 0, members: [] },
    members: { all: 1, active: 1, joined: 1 },
    devices: { all: 0, online: 0 },
    traffic: { received: 0, sent: 0 },
  });
  expect(seen.traffic.steps).toHaveLength(24);
  expect(seen.revenue.map(({ cameIn }) => cameIn)).toEqual([[], [], [], [], [], []]);
});

test("it shows who ends soon and how the club is doing; a moderator's figures leave out VIP members", async () => {
  const club = await aClub();
  const [admin, moderator] = [await club.admin(), await club.moderator()];
  await club.as(admin).call("PUT /admin/payments/settings", { body: { price: "300" } });
  const now = club.clock.now().getTime();
  const [plain, vip, later] = [
    await club.member({ row: { subscription_end: now + 3 * DAY_MS } }),
    await club.member({ row: { is_vip: 1, subscription_end: now + 2 * DAY_MS } }),
    await club.member({ row: { subscription_end: now + 20 * DAY_MS } }),
  ];
  for (const who of [plain, vip]) {
    await club.as(who).call("POST /vpn/configs", { body: await configInput(club, who) });
  }
  await club.settle();
  await club.as(admin).call("PUT /admin/payments/status", {
    body: { userId: later.id, status: "paid", period: club.clock.now().toISOString().slice(0, 7) },
  });
  const all = await pulse(club, admin);
  expect(all).toMatchObject({
    ending: { count: 2, members: [{ id: vip.id }, { id: plain.id }] },
    members: { all: 5, active: 5, joined: 5 },
    devices: { all: 2, online: 0 },
  });
  expect(all.revenue.at(-1)?.cameIn).toEqual([{ amount: "300", currency: "RUB" }]);
  const less = {
    ending: { count: 1, members: [{ id: plain.id }] },
    members: { all: 4, active: 4, joined: 4 },
    devices: { all: 1 },
  };
  expect(await pulse(club, moderator)).toMatchObject(less);
  expect(await pulse(club, admin, { as: "moderator" })).toMatchObject(less);
});

test("the soonest are named, at most five; a blocked or unlimited member does not end", async () => {
  const club = await aClub();
  const admin = await club.admin();
  const now = club.clock.now().getTime();
  for (let hours = 7; hours >= 1; hours--) await club.member({ row: { subscription_end: now + hours * HOUR_MS } });
  await club.member({ row: { subscription_end: now + MINUTE_MS, is_active: 0 } });
  await club.member({ row: { subscription_end: now + MINUTE_MS, is_unlimited: 1 } });
  const { ending } = await pulse(club, admin);
  expect(ending.count).toBe(7);
  expect(ending.members).toHaveLength(5);
  const ends = ending.members.map(({ subscriptionEnd }) => Date.parse(subscriptionEnd) - now);
  expect(ends).toEqual([1, 2, 3, 4, 5].map((hours) => hours * HOUR_MS));
});

test("it costs the same statements for one member as for thirty", async () => {
  const club = await aClub();
  const moderator = await club.moderator();
  const statements = () =>
    statementsOutside(club.db, async () => {
      await asIfChanged(club.db);
      expect((await club.as(moderator).call("GET /admin/pulse")).status).toBe(200);
    });
  await statements();
  const few = await statements();
  const end = club.clock.now().getTime() + DAY_MS;
  for (let count = 0; count < 29; count++) {
    const member = await club.member({ row: { subscription_end: end } });
    await club.as(member).call("POST /vpn/configs", { body: await configInput(club, member) });
  }
  await club.settle();
  expect(await statements()).toBe(few);
  expect(few).toBeLessThanOrEqual(20);
});

const PHONE = "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36";
const DESK = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36";

test("the installed app opens the pulse for staff on a phone, and the dashboard for everyone else", async () => {
  const club = await aClub();
  const opens = async (who: Person | null, browser: string) => {
    const cookie = who === null ? {} : { cookie: `krug_session=${who.token}` };
    const answer = await club.guest.send("GET", "/start", undefined, { "user-agent": browser, ...cookie });
    return [answer.status, answer.headers.get("location")];
  };
  const [admin, moderator, boris] = [await club.admin(), await club.moderator(), await club.member()];
  expect(await opens(admin, PHONE)).toEqual([302, "/admin/pulse"]);
  expect(await opens(moderator, PHONE)).toEqual([302, "/admin/pulse"]);
  expect(await opens(admin, DESK)).toEqual([302, "/dashboard"]);
  expect(await opens(boris, PHONE)).toEqual([302, "/dashboard"]);
  expect(await opens(null, PHONE)).toEqual([302, "/dashboard"]);
});
