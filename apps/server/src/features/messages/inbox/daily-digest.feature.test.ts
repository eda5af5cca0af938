import { afterAll, beforeAll, expect, test } from "vitest";
import { configInput } from "../../../../testing/config-input.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let club: Club;
beforeAll(async () => {
  club = await startClub();
});
afterAll(() => club.stop());

const inTime = (ms: number) => club.clock.now().getTime() + ms;
const digests = async (person: Person) =>
  (await club.as(person).call("GET /inbox")).body.flatMap((notice) =>
    notice.kind === "daily_digest" ? [notice.params] : [],
  );
/** Long waits end sessions. */
const again = async (person: Person): Promise<Person> => {
  const { username, password } = person;
  return { ...person, token: (await club.guest.call("POST /auth/login", { body: { username, password } })).body.token };
};
const ask = (person: Person) => club.as(person).call("PUT /inbox/choices", { body: { digest: true } });
const look = () => club.app.parts.inbox.tellDailyDigest();

/** Saturday noon in Moscow, with a typical day; everything also happens to a VIP member. */
async function aDay(admin: Person) {
  const year = { subscriptionEnd: inTime(365 * DAY_MS) };
  for (const is_vip of [0, 1]) {
    const row = { is_vip };
    const anna = await club.member({ ...year, row });
    const { body } = await club
      .as(anna)
      .call("POST /vpn/configs", { body: await configInput(club, anna, { name: "phone" }) });
    await club.settle();
    expect(body.id).toBeTruthy();
    await club.as(anna).call("POST /support/messages", { body: { content: "Не работает" } });
    await club.as(anna).call("POST /support/tickets", { body: { subject: "Платёж", description: "Где он?" } });
    // Ends: today, soon, later, and one that friends cover.
    await club.member({ subscriptionEnd: inTime(HOUR_MS), row });
    await club.member({ subscriptionEnd: inTime(3 * DAY_MS), row });
    await club.member({ subscriptionEnd: inTime(HOUR_MS), row: { ...row, referral_earned_at: inTime(0) } });
    // Blocked, or unlimited: nothing ends.
    await club.member({ subscriptionEnd: inTime(HOUR_MS), row: { ...row, is_active: 0 } });
    await club.member({ subscriptionEnd: inTime(HOUR_MS), row: { ...row, is_unlimited: 1 } });
    const claims = await club.member({ ...year, row });
    expect((await club.as(claims).call("POST /payments/claim", { body: {} })).status).toBeLessThan(300);
    const status = { userId: anna.id, status: "paid" as const, period: "2026-11" };
    expect((await club.as(admin).call("PUT /admin/payments/status", { body: status })).status).toBe(200);
  }
  const at = inTime(0);
  for (const { publicKey } of club.host.peers()) club.host.use(publicKey, { rx: 1_000, tx: 2_000 }, at);
  await club.app.parts.reconciler.readAll();
}

test("staff who asked for it get one summary of the day before in the morning, moderators without VIP members", async () => {
  const [admin, moderator, other] = [await club.admin(), await club.moderator(), await club.admin()];
  await club.as(admin).call("PUT /admin/payments/settings", { body: { price: "300", details: "Карта" } });
  await aDay(admin);
  const before = await club.member();
  expect((await ask(before)).status).toBe(200);

  for (const person of [admin, moderator]) await ask(person);
  club.clock.advance(20 * HOUR_MS);
  const [chief, helper, quiet] = [await again(admin), await again(moderator), await again(other)];
  // Sunday at eight.
  await look();
  expect(await digests(chief)).toEqual([]);

  club.clock.advance(HOUR_MS);
  await look();
  await look();
  const figures = {
    day: "2026-11-21",
    ended: 2,
    devices: 2,
    bytes: 6_000,
    payments: 2,
    received: [{ amount: "600", currency: "RUB" }],
    ending: 2,
    claims: 2,
    conversations: 2,
    tickets: 2,
    servers: [],
  };
  expect(await digests(chief)).toEqual([{ ...figures, joined: expect.any(Number) }]);
  const [half] = await digests(helper);
  expect(half).toEqual({
    ...figures,
    joined: expect.any(Number),
    ended: 1,
    devices: 1,
    bytes: 3_000,
    payments: 1,
    received: [{ amount: "300", currency: "RUB" }],
    ending: 1,
    claims: 1,
    conversations: 1,
    tickets: 1,
  });
  // Everybody above, and a member who asked for a staff notice.
  const [all] = await digests(chief);
  expect((all?.joined ?? 0) - (half?.joined ?? 0)).toBe(7);
  for (const person of [quiet, await again(before)]) expect(await digests(person)).toEqual([]);

  club.clock.advance(DAY_MS);
  await look();
  const [monday] = await digests(await again(admin));
  expect(monday).toMatchObject({
    day: "2026-11-22",
    joined: 0,
    payments: 0,
    received: [],
    ended: 0,
    devices: 0,
    bytes: 0,
  });
});
