import { afterAll, beforeAll, expect, test } from "vitest";
import { tokenInLink } from "../../../../testing/link-token.ts";
import { type Club, PASSWORD, type Person, startClub } from "../../../../testing/start-club.ts";

let club: Club;
let admin: Person;
let groupId: string;
beforeAll(async () => {
  club = await startClub({ localServer: "off" });
  admin = await club.admin();
  groupId = (await club.as(admin).call("POST /admin/groups", { body: { name: "Друзья, близкие" } })).body.id;
});
afterAll(() => club.stop());

const PREVIEW = "POST /admin/users/import/preview";
const IMPORT = "POST /admin/users/import";
const usernames = async () => ((await club.allRows()).get("members") ?? []).map((row) => row.username).sort();

test("a file's lines become members with a link each, and whoever is there stays as they are", async () => {
  const boris = await club.member({ username: "Boris", configLimit: 1 });
  const members = [
    {
      line: 2,
      username: "anna-k",
      displayName: " Анна ",
      subscriptionEnd: "2027-12-31",
      vpnConfigLimit: -1,
      groups: [groupId],
    },
    { line: 3, username: "boris", displayName: "Другой", vpnConfigLimit: 900, groups: [groupId] },
    { line: 5, username: "vera", subscriptionEnd: "2020-01-31" },
  ];
  expect((await club.as(admin).call(PREVIEW, { body: { members } })).body).toEqual({
    here: [3],
    waiting: [],
    ended: [5],
    problems: [],
  });
  const { body, status } = await club.as(admin).call(IMPORT, { body: { members } });
  expect(status).toBe(201);
  expect(body.invited.map(({ username, displayName }) => [username, displayName])).toEqual([
    ["anna-k", "Анна"],
    ["vera", "vera"],
  ]);
  const one = async (id: string) =>
    (await club.as(admin).call("GET /admin/users/{id}", { params: { id } })).body.member;
  expect(await one("anna-k")).toMatchObject({
    role: "user",
    isVip: false,
    vpnConfigLimit: -1,
    subscriptionEnd: "2027-12-31T23:59:59.000+03:00",
    groups: [{ id: groupId }],
  });
  expect(await one("vera")).toMatchObject({ subscriptionEnd: null });
  expect(await one("boris")).toMatchObject({
    id: boris.id,
    displayName: boris.username,
    vpnConfigLimit: 1,
    groups: [],
  });

  // Whoever has not set a password gets another link, as after an answer that was lost; nobody else does.
  const anna = { token: tokenInLink(body.invited[0]?.link ?? ""), password: PASSWORD };
  expect((await club.guest.call("POST /auth/set-password", { body: anna })).status).toBe(200);
  expect((await club.as(admin).call(PREVIEW, { body: { members } })).body).toMatchObject({
    here: [2, 3],
    waiting: [5],
  });
  const again = await club.as(admin).call(IMPORT, { body: { members } });
  expect(again.body.invited.map(({ username }) => username)).toEqual(["vera"]);
  const vera = { token: tokenInLink(again.body.invited[0]?.link ?? ""), password: PASSWORD };
  expect((await club.guest.call("POST /auth/set-password", { body: vera })).status).toBe(200);
});

test("one wrong line is named, and none of them is added", async () => {
  const before = await usernames();
  const good = { line: 2, username: "gleb" };
  for (const [line, field, why] of [
    [{ username: "я" }, "username", "member.username_invalid"],
    [{ username: "Counts" }, "username", "member.username_taken"],
    [{ username: "GLEB" }, "username", "member.username_taken"],
    [{ username: "dasha", displayName: "Да\u202eша" }, "displayName", "member.display_name_invalid"],
    [{ username: "dasha", groups: [admin.id] }, "groups", "group.unknown"],
  ] as const) {
    const members = [good, { line: 7, ...line, groups: "groups" in line ? [...line.groups] : [] }];
    const { problems } = (await club.as(admin).call(PREVIEW, { body: { members } })).body;
    expect(problems).toMatchObject([{ line: 7, field, code: why }]);
    const refused = await club.as(admin).call(IMPORT, { body: { members } });
    expect(refused).toMatchObject({ status: 409, code: "member.line_refused" });
    expect(refused.body).toMatchObject({ error: { details: { line: 7, field, why } } });
  }
  expect(await usernames()).toEqual(before);
});

test("a line gives no role, no VIP and no unlimited subscription, and no link to an account of staff", async () => {
  const before = await usernames();
  for (const more of [{ role: "admin" }, { isVip: true }, { isUnlimited: true }, { isActive: false }])
    expect(
      (await club.as(admin).call(IMPORT, { body: { members: [{ line: 2, username: "egor", ...more }] } as never }))
        .status,
    ).toBe(400);
  await club.as(admin).call("POST /users", { body: { username: "new-moderator", role: "moderator" } });
  const members = [{ line: 2, username: "new-moderator" }];
  expect((await club.as(admin).call(PREVIEW, { body: { members } })).body).toMatchObject({ here: [2], waiting: [] });
  expect((await club.as(admin).call(IMPORT, { body: { members } })).body.invited).toEqual([]);
  expect(await usernames()).toEqual([...before, "new-moderator"].sort());
});
