import { afterEach, beforeEach, expect, test } from "vitest";
import { configInput } from "../../../../testing/config-input.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";

/* A server in a thief's hands may report any number for its devices: it must spoil neither a member's quota nor the club's sums. */

const GB = 1_000_000_000;
const TB = 1_000 * GB;
let club: Club;
let admin: Person;
let anna: Person;
let boris: Person;
beforeEach(async () => {
  club = await startClub();
  [admin, anna, boris] = [await club.admin(), await club.member(), await club.member()];
  await club
    .as(admin)
    .call("PUT /users/{id}", { params: { id: anna.id }, body: { quotaBytes: TB, quotaAtEnd: "cut" } });
});
afterEach(() => club.stop());

const keys = () => club.host.peers().map(({ publicKey }) => publicKey as string);
const device = async (owner: Person) => {
  const before = new Set(keys());
  const { id } = (await club.as(owner).call("POST /vpn/configs", { body: await configInput(club, owner) })).body;
  return { id, key: keys().find((key) => !before.has(key)) ?? "" };
};
const minute = async () => {
  club.clock.advance(60_000);
  await club.app.parts.reconciler.readAll();
  await club.settle();
};
const says = async (key: string, tx: number) => {
  club.host.use(key, { rx: 0, tx }, club.clock.now().getTime());
  await minute();
};
const received = async (owner: Person, id: string) =>
  (await club.as(owner).call("GET /vpn/configs/{id}/stats", { params: { id } })).body.dataReceived;
const told = async () =>
  (await club.as(admin).call("GET /inbox")).body.filter(({ kind }) => kind === "counters_refused").length;

test.each([
  ["the greatest number of 64 bits", 2 ** 64],
  ["no number", Number.NaN],
  ["less than nothing", -5],
  ["half a byte", 0.5],
  ["a minute of a hundred terabytes", 100 * TB],
])(
  "a server's reading of %s for a device counts as nothing; others are counted, and staff are notified",
  async (_, bytes) => {
    const [hers, his] = [await device(anna), await device(boris)];
    await says(his.key, GB);
    club.host.use(his.key, { rx: 0, tx: 2 * GB }, club.clock.now().getTime());
    await says(hers.key, bytes);
    expect([await received(anna, hers.id), await received(boris, his.id)]).toEqual([0, 3 * GB]);
    expect((await club.as(anna).call("GET /auth/me")).body.entitlement.allowed).toBe(true);
    expect(await told()).toBe(1);
    // Once a day, and a server that keeps lying stops nobody else's count.
    await says(his.key, GB);
    await says(hers.key, bytes);
    expect(await received(boris, his.id)).toBe(4 * GB);
    expect(await told()).toBe(1);
    expect((await club.as(anna).call("GET /vpn/configs")).status).toBe(200);
  },
);

test("a server's false number is discarded with its next true one", async () => {
  const { id, key } = await device(anna);
  await says(key, GB);
  await says(key, 100 * TB);
  await says(key, GB - 100 * TB);
  expect(await received(anna, id)).toBe(2 * GB);
});

test("all devices of a server together use no more than its line, and true amounts fit after a while", async () => {
  const [hers, his] = [await device(anna), await device(boris)];
  await minute();
  club.host.use(his.key, { rx: 0, tx: 300 * GB }, club.clock.now().getTime());
  await says(hers.key, 300 * GB);
  const sum = async () => (await received(anna, hers.id)) + (await received(boris, his.id));
  expect(await sum()).toBe(300 * GB);
  await minute();
  await says(hers.key, 1);
  await says(his.key, 1);
  expect(await sum()).toBe(600 * GB + 2);
});

test("what a server carried while nobody reached it is counted", async () => {
  const { id, key } = await device(anna);
  await says(key, GB);
  club.host.away = "it does not answer";
  for (let hour = 0; hour < 10; hour++) {
    club.clock.advance(3_600_000);
    await club.app.parts.reconciler.readAll();
  }
  club.host.away = null;
  await says(key, 900 * GB);
  expect(await received(anna, id)).toBe(901 * GB);
});
