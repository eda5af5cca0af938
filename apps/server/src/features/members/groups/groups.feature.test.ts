import { MOST_GROUPS } from "@krug/domain/group-rules";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { auditOf } from "../../../../testing/audit-of.ts";
import { configInput } from "../../../../testing/config-input.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";
import * as repository from "./repository.ts";

let club: Club;
let admin: Person;
let moderator: Person;
/** The main server's two interfaces. */
let first: string;
let second: string;
beforeAll(async () => {
  club = await startClub();
  admin = await club.admin();
  moderator = await club.moderator();
  const [server] = (await club.as(admin).call("GET /admin/servers")).body;
  await club
    .as(admin)
    .call("POST /admin/servers/{serverId}/create-interface", { params: { serverId: server?.id ?? "" } });
  await club.settle();
  const interfaces = (await club.as(admin).call("GET /admin/servers/interfaces")).body;
  [first = "", second = ""] = interfaces.map(({ id }) => id).toSorted();
});
// Staff may make sixty creations a minute.
beforeEach(() => club.clock.advance(61_000));
afterAll(() => club.stop());

let made = 0;
const add = async (wish: { name?: string; interfaces?: string[] } = {}) => {
  const { body } = await club.as(admin).call("POST /admin/groups", { body: { name: `Группа ${++made}`, ...wish } });
  return body;
};
const put = (who: Person, groups: string[], expected?: string[]) =>
  club.as(admin).call("PUT /admin/users/{id}/groups", {
    params: { id: who.id },
    body: { groups, ...(expected && { expected: { groups: expected } }) },
  });
const places = async (who: Person) =>
  (await club.as(who).call("GET /vpn/available-interfaces")).body.map(({ id }) => id).toSorted();
const bulk = (ids: string[], input: object) =>
  club.as(admin).call("POST /admin/users/bulk", { body: { ids, ...input } as never });

test("a member may be in several groups; the list narrows to one, counts follow, and rows name them", async () => {
  const [friends, family] = [await add({ name: "Друзья" }), await add({ name: "Family" })];
  const [boris, anna] = [await club.member({ username: "in-both" }), await club.member({ username: "in-one" })];
  expect((await put(boris, [friends.id, family.id])).body.map(({ name }) => name)).toEqual(["Family", "Друзья"]);
  await put(anna, [family.id]);
  const narrowed = { query: { group: family.id } };
  const rows = (await club.as(moderator).call("GET /users", narrowed)).body;
  expect(rows.map(({ username, groups }) => [username, groups.map(({ name }) => name)])).toEqual([
    ["in-both", ["Family", "Друзья"]],
    ["in-one", ["Family"]],
  ]);
  expect((await club.as(moderator).call("GET /admin/users/counts", narrowed)).body.all).toBe(2);
  const groups = (await club.as(moderator).call("GET /admin/groups")).body;
  expect(groups.filter(({ id }) => [friends.id, family.id].includes(id)).map((group) => group.memberCount)).toEqual([
    2, 1,
  ]);
});

test("members may use their own interfaces and their groups'; without any, the main server's", async () => {
  const boris = await club.member();
  const both = [first, second];
  expect(await places(boris)).toEqual(both);
  const group = await add({ interfaces: [second] });
  await put(boris, [group.id]);
  expect(await places(boris)).toEqual([second]);
  const refused = await club.as(boris).call("POST /vpn/configs", {
    body: { ...(await configInput(club, boris)), interfaceId: first },
  });
  expect(refused.code).toBe("interface.not_available");
  const body = { userId: boris.id, interfaceId: first };
  await club.as(admin).call("POST /admin/servers/interfaces/assign", { body });
  expect(await places(boris)).toEqual(both);
  const params = { id: group.id };
  await club.as(admin).call("PUT /admin/groups/{id}", { params, body: { interfaces: [] } });
  expect(await places(boris)).toEqual([first]);
});

test("friends of a member get the interfaces of their groups too", async () => {
  const boris = await club.member();
  const group = await add({ interfaces: [second] });
  await put(boris, [group.id]);
  const { body } = await club.as(boris).call("POST /users/generate-invite", { body: {} });
  const joined = await club.guest.call("POST /auth/register", {
    body: { inviteCode: body.code, username: "the-friend", password: "korrekt-horse" },
  });
  expect(joined.status).toBe(201);
  const friend = (await club.as(admin).call("GET /users", { query: { q: "the-friend" } })).body[0];
  const query = { userId: friend?.id ?? "" };
  const offered = (await club.as(admin).call("GET /vpn/available-interfaces", { query })).body;
  expect(offered.map(({ id }) => id)).toEqual([second]);
});

test("a renamed group keeps its members; a deleted one leaves them with their devices, and without its interfaces", async () => {
  const boris = await club.member();
  const group = await add({ interfaces: [second] });
  await put(boris, [group.id]);
  await club.as(boris).call("POST /vpn/configs", { body: await configInput(club, boris) });
  const params = { id: group.id };
  const renamed = await club.as(admin).call("PUT /admin/groups/{id}", { params, body: { name: "Новая" } });
  expect(renamed.body).toMatchObject({ name: "Новая", memberCount: 1, interfaces: [second] });
  expect((await club.as(admin).call("DELETE /admin/groups/{id}", { params })).status).toBe(204);
  expect(await places(boris)).toEqual([first, second]);
  expect((await club.as(boris).call("GET /vpn/configs")).body).toHaveLength(1);
  expect((await club.as(admin).call("DELETE /admin/groups/{id}", { params })).code).toBe("group.not_found");
  expect((await auditOf(club, group.id)).map(({ action }) => action).toSorted()).toEqual([
    "group.added",
    "group.changed",
    "group.deleted",
  ]);
});

test("many members join and leave a group, and get a limit; what they already had is not recorded again", async () => {
  const group = await add();
  const people = [await club.member(), await club.member()];
  const ids = people.map(({ id }) => id);
  await put(people[0] as Person, [group.id]);
  expect((await bulk(ids, { action: "join", groupId: group.id })).body.changed).toEqual(ids.toSorted());
  expect((await auditOf(club, ids[0] ?? "")).length).toBe(1);
  expect(await auditOf(club, ids[1] ?? "")).toEqual([
    { actorId: admin.id, action: "member.changed", before: { groups: [] }, after: { groups: [group.name] } },
  ]);
  const matching = { matching: { group: group.id }, after: null, action: "limit" as const, vpnConfigLimit: 7 };
  const all = await club.as(admin).call("POST /admin/users/bulk/matching", { body: matching });
  expect(all.body).toEqual({ changed: 2, refused: [], after: null });
  const seen = (await club.as(admin).call("GET /users", { query: { group: group.id } })).body;
  expect(seen.map(({ vpnConfigLimit }) => vpnConfigLimit)).toEqual([7, 7]);
  await bulk(ids, { action: "leave", groupId: group.id });
  expect((await club.as(admin).call("GET /users", { query: { group: group.id } })).body).toEqual([]);
  expect((await bulk(ids, { action: "join", groupId: admin.id })).code).toBe("group.unknown");
  for (const action of ["join", "leave", "limit", "message", "template"])
    expect((await bulk(ids, { action })).code, action).toBe("request.invalid");
});

test("two people who edit one group, or one member's groups, do not overwrite each other", async () => {
  const [group, other] = [await add({ name: "Одна" }), await add({ name: "Другая" })];
  const params = { id: group.id };
  const change = (body: object) => club.as(admin).call("PUT /admin/groups/{id}", { params, body });
  expect((await change({ name: "Х", expected: { name: "Старая" } })).code).toBe("group.changed_meanwhile");
  expect((await change({ name: "ДРУГАЯ" })).code).toBe("group.name_taken");
  expect((await change({ interfaces: [group.id] })).code).toBe("interface.unknown");
  expect((await change({ name: "одна", expected: { name: "Одна" } })).body.name).toBe("одна");
  const boris = await club.member();
  await put(boris, [group.id], []);
  expect((await put(boris, [other.id], [])).code).toBe("member.changed_meanwhile");
  expect((await put(boris, [boris.id])).code).toBe("group.unknown");
});

test("a moderator's counts leave out VIP members; a deleted member is in no group; the member's data names them", async () => {
  const group = await add({ name: "Тихие" });
  const [vip, boris] = [await club.member({ row: { is_vip: 1 } }), await club.member()];
  for (const person of [vip, boris]) await put(person, [group.id]);
  const count = async (who: Person, as?: "moderator") =>
    (await club.as(who).call("GET /admin/groups", { query: as ? { as } : {} })).body.find(({ id }) => id === group.id)
      ?.memberCount;
  expect([await count(admin), await count(moderator), await count(admin, "moderator")]).toEqual([2, 1, 1]);
  const own = (await club.as(boris).call("GET /users/me/export")).body as { groups?: unknown };
  expect(own.groups).toEqual(["Тихие"]);
  await club.as(admin).call("DELETE /users/{id}", { params: { id: boris.id } });
  expect((await club.allRows()).get("group_members")?.some((row) => row.member_id === boris.id)).toBe(false);
});

test("a group with an interface that is emptied into another gets that one too", async () => {
  const group = await add({ interfaces: [first] });
  const boris = await club.member();
  const params = { id: first };
  const assigned = async () =>
    (await club.as(admin).call("GET /admin/servers/interfaces/{id}/emptying", { params })).body.assigned;
  const before = await assigned();
  await put(boris, [group.id]);
  expect(await assigned()).toBe(before + 1);
  const body = { toInterfaceId: second };
  expect((await club.as(admin).call("POST /admin/servers/interfaces/{id}/empty", { params, body })).status).toBe(200);
  expect(await places(boris)).toEqual([first, second]);
});

test("a club has a bounded number of groups", async () => {
  await club.transact(async (tx) => {
    for (let n = (await repository.all(tx)).length; n < MOST_GROUPS; n++)
      await repository.insert(tx, { id: `g${n}`, name: "", name_key: `g${n}`, interface_ids: "[]", created_at: 0 });
  });
  const refused = await club.as(admin).call("POST /admin/groups", { body: { name: "Лишняя" } });
  expect(refused.code).toBe("group.too_many");
});
