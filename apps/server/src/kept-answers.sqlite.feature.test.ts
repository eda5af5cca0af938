import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { configInput } from "../testing/config-input.ts";
import { type Club, type Person, startClub } from "../testing/start-club.ts";

const MINUTE_MS = 60_000;
const READ = ["/api/auth/me", "/api/vpn/configs"] as const;

let club: Club;
let admin: Person;
let anna: Person;
let configId: string;
beforeAll(async () => {
  club = await startClub();
  admin = await club.admin({ username: "chief" });
  const subscriptionEnd = club.clock.now().getTime() + 2 * MINUTE_MS;
  anna = await club.member({ username: "anna", configLimit: -1, subscriptionEnd });
  const body = await configInput(club, anna, { name: "phone" });
  configId = (await club.as(anna).call("POST /vpn/configs", { body })).body.id;
  await club.settle();
});
afterAll(() => club.stop());

const ask = (path: string, tag?: string) =>
  club.as(anna).send("GET", path, undefined, tag === undefined ? {} : { "if-none-match": tag });
const read = () => Promise.all(READ.map((path) => ask(path)));
const bodies = async () => (await read()).map(({ body }) => body);
const changeAnna = (body: object) =>
  club.as(admin).call("PUT /users/{id}", { params: { id: anna.id }, body: body as never });
const changeClub = (body: object) => club.as(admin).call("PUT /admin/settings", { body: body as never });

let unusual = 500;
/** Recreated: nothing that a panel keeps is of this row, or of a list this long. */
async function madeAnew() {
  const { members, settings } = club.app.parts;
  const row = await members.find(club.db, anna.id);
  if (row === undefined) throw new Error("there is no anna");
  const now = club.clock.now();
  unusual -= 1;
  return [
    members.toAnswer(row, { club: await settings.read(club.db), now, seesInviteCode: false }),
    (await ask(`${READ[1]}?limit=${unusual}`)).body,
  ];
}

/** Whether a peer is on the wire yet is up to the rounds, which go on meanwhile. */
const settled = <Answers>(answers: Answers): Answers =>
  JSON.parse(JSON.stringify(answers).replaceAll('"state":"pending"', '"state":"applied"'));

/** What is answered once the club rests: twice the same, and 304 to a page that has it. Servers are read in every test too. */
const unchanged = () =>
  vi.waitFor(async () => {
    const before = await read();
    expect(await bodies()).toEqual(before.map(({ body }) => body));
    const tags = before.map(({ headers }) => headers.get("etag") ?? "");
    for (const [at, path] of READ.entries()) {
      const same = await ask(path, tags[at]);
      expect([same.status, same.body ?? "", same.headers.get("etag")]).toEqual([304, "", tags[at]]);
      expect(same.headers.get("x-club-time")).not.toBeNull();
    }
    return { before, tags };
  }, 60_000);

test.each<[string, () => unknown]>([
  ["a new name", () => changeAnna({ displayName: "Анна" })],
  [
    "a renamed device",
    () => club.as(anna).call("PUT /vpn/configs/{id}", { params: { id: configId }, body: { name: "tablet" } as never }),
  ],
  [
    "a blocked device",
    () =>
      club
        .as(admin)
        .call("PUT /admin/configs/{id}/blocked", { params: { id: configId }, body: { isBlocked: true } as never }),
  ],
  ["a setting", () => changeClub({ clubTimeZone: "Asia/Tokyo" })],
  ["the end of the subscription, which only the clock brings", () => club.clock.advance(3 * MINUTE_MS)],
  ["a subscription without an end", () => changeAnna({ isUnlimited: true })],
])("%s is in the next answer, also to a page that has the last one", async (_what, change) => {
  // What the last change left to do for the tunnels.
  await club.settle();
  const { before, tags } = await unchanged();
  expect(await change()).not.toMatchObject({ body: { error: {} } });
  // Before anything else reads: a read that takes the connection makes a panel forget what it keeps.
  const after = await Promise.all(READ.map((path, at) => ask(path, tags[at])));
  const now = settled(await madeAnew());
  for (const [at, { status, body }] of after.entries())
    expect(settled(status === 304 ? before[at]?.body : body)).toEqual(now[at]);
  expect(now).not.toEqual(settled(before.map(({ body }) => body)));
});

test("a kept answer about a member is of no other moment than the one asked for", async () => {
  const { members, settings } = club.app.parts;
  const row = await members.find(club.db, (await club.member({ subscriptionEnd: club.clock.now().getTime() + 1 })).id);
  if (row === undefined) throw new Error("there is no such member");
  const of = await settings.read(club.db);
  for (const onMs of [0, 1, -1, 1]) {
    club.clock.advance(onMs);
    const told = await members.ownAnswer(club.db, row);
    expect(told).toEqual(members.toAnswer(row, { club: of, now: club.clock.now(), seesInviteCode: false }));
  }
});

test("reads during a change keep nothing from before it", async () => {
  for (const displayName of ["Анна К.", "Анна М."]) {
    const reading = [...Array(4)].map(read);
    const change = changeAnna({ displayName });
    reading.push(...[...Array(4)].map(read));
    await change;
    for (const found of [await bodies(), (await Promise.all(reading)) && (await bodies())])
      expect(settled(found)).toEqual(settled(await madeAnew()));
  }
});

test("who is blocked gets no answer at all, whatever they name", async () => {
  const tag = (await ask(READ[0])).headers.get("etag") ?? "";
  await changeAnna({ isActive: false });
  for (const named of [tag, "*"]) expect((await ask(READ[0], named)).status).toBe(401);
});
