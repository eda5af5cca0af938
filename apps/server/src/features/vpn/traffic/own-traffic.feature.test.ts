import { afterEach, beforeEach, expect, test } from "vitest";
import { configInput } from "../../../../testing/config-input.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
let club: Club;
let boris: Person;
beforeEach(async () => {
  club = await startClub();
  boris = await club.member({ subscriptionEnd: club.clock.now().getTime() + 400 * DAY_MS });
});
afterEach(() => club.stop());

const make = async (owner: Person, name: string) => {
  const before = new Set(club.host.peers().map((peer) => peer.publicKey));
  const { id } = (await club.as(owner).call("POST /vpn/configs", { body: await configInput(club, owner, { name }) }))
    .body;
  const key = club.host.peers().find((peer) => !before.has(peer.publicKey))?.publicKey ?? "";
  return { id, key };
};
const use = async (key: string, received: number, sent: number) => {
  club.host.use(key, { rx: sent, tx: received }, club.clock.now().getTime());
  await club.app.parts.reconciler.readAll();
};
const trafficOf = async (someone: Person, days?: number) =>
  (await club.as(someone).call("GET /vpn/traffic", days === undefined ? {} : { query: { days } })).body;

test("every config has its days, the oldest first; a day without traffic has no row", async () => {
  const phone = await make(boris, "phone");
  const laptop = await make(boris, "laptop");
  await make(boris, "unused");
  await use(phone.key, 5_000, 700);
  club.clock.advance(2 * DAY_MS);
  await use(phone.key, 1_000, 10);
  await use(phone.key, 500, 5);
  await use(laptop.key, 9, 1);
  const { from, to, configs } = await trafficOf(boris);
  expect([from, to]).toEqual(["2026-10-25", "2026-11-23"]);
  expect(Object.fromEntries(configs.map(({ id, days }) => [id, days]))).toEqual({
    [phone.id]: [
      { day: "2026-11-21", received: 5_000, sent: 700 },
      { day: "2026-11-23", received: 1_500, sent: 15 },
    ],
    [laptop.id]: [{ day: "2026-11-23", received: 9, sent: 1 }],
  });
});

test("days begin at the club's midnight, not at UTC's", async () => {
  const { key } = await make(boris, "phone");
  // 23:30 in Moscow, 20:30 in UTC; an hour later it is the next day in Moscow only.
  club.clock.advance(11.5 * HOUR_MS);
  await use(key, 1, 0);
  club.clock.advance(HOUR_MS);
  await use(key, 2, 0);
  const { configs, to } = await trafficOf(boris);
  expect(to).toBe("2026-11-22");
  expect(configs[0]?.days.map(({ day, received }) => [day, received])).toEqual([
    ["2026-11-21", 1],
    ["2026-11-22", 2],
  ]);
});

test("days before the requested ones are left out", async () => {
  const { key } = await make(boris, "phone");
  await use(key, 1, 1);
  club.clock.advance(29 * DAY_MS);
  expect((await trafficOf(boris)).configs).toHaveLength(1);
  expect((await trafficOf(boris, 7)).configs).toEqual([]);
  club.clock.advance(DAY_MS);
  expect((await trafficOf(boris)).configs).toEqual([]);
});

test("nobody sees another's traffic, and a deleted config's is not in the answer", async () => {
  const anna = await club.member();
  const { id, key } = await make(boris, "phone");
  await use(key, 1, 1);
  expect((await trafficOf(anna)).configs).toEqual([]);
  await club.as(boris).call("DELETE /vpn/configs/{id}", { params: { id } });
  expect((await trafficOf(boris)).configs).toEqual([]);
});

test.each(["0", "32", "-1", "x", "1.5"])("at most a month can be requested, not %s days", async (days) => {
  expect((await club.as(boris).send("GET", `/api/vpn/traffic?days=${days}`)).code).toBe("request.invalid");
});
