import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";

const HOUR_MS = 3_600_000;
let club: Club;
let admin: Person;
let moderator: Person;
let interfaces: string[];
beforeEach(async () => {
  club = await startClub({ environment: { TRUSTED_PROXIES: "127.0.0.1" } });
  admin = await club.admin();
  moderator = await club.moderator();
  interfaces = (await club.as(admin).call("GET /admin/servers/interfaces")).body.map(({ id }) => id);
});
afterEach(() => club.stop());

const staffCode = async (maxUses = -1) =>
  (await club.as(admin).call("POST /admin/invite-codes", { body: { interfaces, maxUses } })).body;
const limits = async (joinsPerAddressPerDay: number, joinsPerCodePerDay: number) =>
  expect(
    (await club.as(admin).call("PUT /admin/settings", { body: { joinsPerAddressPerDay, joinsPerCodePerDay } })).status,
  ).toBe(200);

const aName = () => `n-${randomUUID().slice(0, 8)}`;
const join = (inviteCode: string, address: string, username = aName()) =>
  club.guest.call("POST /auth/register", {
    body: { username, password: "a fine phrase", inviteCode },
    headers: { "x-forwarded-for": address, "accept-language": "en" },
  });
const refusedOf = (answers: { code: string | undefined }[]) => answers.flatMap(({ code }) => code ?? []);
const usesOf = async (id: string) =>
  (await club.as(admin).call("GET /admin/invite-codes/{id}", { params: { id } })).body.currentUses;
const toldTo = async (person: Person) =>
  (await club.as(person).call("GET /inbox")).body.map(({ kind, params }) => [kind, params]);

test("with the default settings a club may invite thirty people in one evening from one office", async () => {
  const { joinsPerAddressPerDay, joinsPerCodePerDay } = (await club.as(admin).call("GET /admin/settings")).body;
  expect(joinsPerAddressPerDay).toBeGreaterThanOrEqual(30);
  expect(joinsPerCodePerDay).toBeGreaterThanOrEqual(30);
});

test("no more members join from one address in a day than the setting says, by whatever codes", async () => {
  await limits(3, 100);
  const [one, other] = [await staffCode(), await staffCode()];
  for (const { code } of [one, other, one]) expect((await join(code, "198.51.100.1")).status).toBe(201);
  const refused = await join(other.code, "198.51.100.1");
  expect([refused.status, refused.code]).toEqual([429, "joining.address_limit"]);
  expect(refused.headers.get("retry-after")).toBe(String(24 * 3600));
  expect(refused.message).toMatch(/24 h/);
  expect(await usesOf(other.id), "the code keeps its use").toBe(1);
  // Others are not affected, and a day later this address is not either.
  expect((await join(other.code, "198.51.100.2")).status).toBe(201);
  club.clock.advance(24 * HOUR_MS - 1);
  expect((await join(other.code, "198.51.100.1")).code).toBe("joining.address_limit");
  club.clock.advance(1);
  expect((await join(other.code, "198.51.100.1")).status).toBe(201);
});

test("a household with IPv6 is one address, and all unreadable addresses are one", async () => {
  await limits(2, 100);
  const { code } = await staffCode();
  for (const [one, two, three] of [
    ["2001:db8:1:2::1", "2001:db8:1:2:ffff::9", "[2001:db8:1:2::7]:4000"],
    ["unknown", "", "1.2.3"],
    ["198.51.100.9:1", "::ffff:198.51.100.9", "198.51.100.9:2"],
  ] as const)
    expect([await join(code, one), await join(code, two), await join(code, three)].map(({ status }) => status)).toEqual(
      [201, 201, 429],
    );
});

test("no more members join by one code in a day than the setting says, from wherever they come", async () => {
  await limits(100, 3);
  const [code, other] = [await staffCode(), await staffCode()];
  for (let n = 1; n <= 3; n++) expect((await join(code.code, `198.51.100.${n}`)).status).toBe(201);
  const refused = await join(code.code, "198.51.100.4");
  expect([refused.status, refused.code]).toEqual([429, "joining.code_limit"]);
  expect((await join(other.code, "198.51.100.4")).status).toBe(201);
  expect(await usesOf(code.id)).toBe(3);
  club.clock.advance(24 * HOUR_MS);
  expect((await join(code.code, "198.51.100.4")).status).toBe(201);
});

test("simultaneous registrations get no further than those sent one by one", async () => {
  await limits(3, 5);
  const { code, id } = await staffCode();
  const fromOne = await Promise.all(Array.from({ length: 12 }, () => join(code, "198.51.100.1")));
  expect(refusedOf(fromOne)).toEqual(Array(9).fill("joining.address_limit"));
  const fromMany = await Promise.all(Array.from({ length: 12 }, (_, n) => join(code, `198.51.100.${n + 2}`)));
  expect(refusedOf(fromMany)).toEqual(Array(10).fill("joining.code_limit"));
  expect(await usesOf(id)).toBe(5);
});

test("staff are notified once that a limit is reached, with the last member who gets in", async () => {
  await limits(2, 3);
  const { code, id } = await staffCode();
  await join(code, "198.51.100.1");
  const limitsTold = async (to: Person) => (await toldTo(to)).filter(([kind]) => kind !== "member_joined");
  expect(await toldTo(admin)).toMatchObject([["member_joined", { username: expect.any(String) }]]);
  expect(await limitsTold(admin)).toEqual([]);
  for (let n = 0; n < 3; n++) await join(code, "198.51.100.1");
  const byAddress = ["joining_limited", { by: "address", codeId: null }];
  expect(await limitsTold(admin)).toEqual([byAddress]);
  club.clock.advance(1000);
  for (let n = 2; n < 6; n++) await join(code, `198.51.100.${n}`);
  const byCode = ["joining_limited", { by: "code", codeId: id }];
  for (const person of [admin, moderator]) expect(await limitsTold(person)).toEqual([byCode, byAddress]);
  expect(await toldTo(await club.member())).toEqual([]);
});

test("someone who tries names with a code gets a limited number of 'taken' answers, enough for honest people", async () => {
  await club.member({ username: "taken-name" });
  const { code, id } = await staffCode();
  const answers: (string | undefined)[] = [];
  for (let n = 0; n < 45; n++) answers.push((await join(code, "198.51.100.1", "Taken-Name")).code);
  const heard = answers.filter((answer) => answer === "member.username_taken").length;
  expect(heard).toBe(40);
  expect(answers.slice(heard)).toEqual(Array(5).fill("joining.names_limit"));
  // It reveals no free names either, and others are not affected.
  const free = await join(code, "198.51.100.1");
  expect([free.status, free.code]).toEqual([429, "joining.names_limit"]);
  expect((await join(code, "198.51.100.2", "taken-name")).code).toBe("member.username_taken");
  expect((await join(code, "198.51.100.2")).status).toBe(201);
  expect(await usesOf(id)).toBe(1);
  club.clock.advance(24 * HOUR_MS);
  expect((await join(code, "198.51.100.1")).status).toBe(201);
});

test("many addresses with one code share a limit of such answers, sent all at once or not", async () => {
  await club.member({ username: "taken-name" });
  const { code } = await staffCode();
  const answers = await Promise.all(
    Array.from({ length: 120 }, (_, n) => join(code, `198.51.${n % 100}.1`, "taken-name")),
  );
  const codes = refusedOf(answers);
  expect(codes.filter((answer) => answer === "member.username_taken")).toHaveLength(100);
  expect(codes.filter((answer) => answer === "joining.names_limit")).toHaveLength(20);
}, 60_000);

test("addresses are stored for a day, as hashes", async () => {
  const { code } = await staffCode();
  await join(code, "198.51.100.77");
  const rows = () =>
    club.db
      .withTables<{ joining_counts: Record<string, unknown> }>()
      .selectFrom("joining_counts")
      .selectAll()
      .execute();
  expect(await rows()).toHaveLength(2);
  expect(JSON.stringify(await rows())).not.toContain("198.51");
  await club.app.forgetOld();
  expect(await rows()).toHaveLength(2);
  club.clock.advance(24 * HOUR_MS);
  await club.app.forgetOld();
  expect(await rows()).toEqual([]);
});
