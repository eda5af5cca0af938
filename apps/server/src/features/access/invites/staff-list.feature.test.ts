import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";

const DAY_MS = 86_400_000;
let club: Club;
let admin: Person;
let moderator: Person;
let interfaces: string[];
beforeAll(async () => {
  club = await startClub();
  admin = await club.admin({ username: "chief", row: { display_name: "Глава" } });
  moderator = await club.moderator();
  interfaces = (await club.as(admin).call("GET /admin/servers/interfaces")).body.map(({ id }) => id);
});
// A member may make sixty creations a minute.
beforeEach(() => club.clock.advance(61_000));
afterAll(() => club.stop());

const add = async (terms: object = {}, by = admin) =>
  (await club.as(by).call("POST /admin/invite-codes", { body: { interfaces, ...terms } })).body;
const join = async (code: string, username: string) => {
  const body = { username, password: "a phrase of his own", inviteCode: code };
  expect((await club.guest.call("POST /auth/register", { body })).status).toBe(201);
};
const listed = async (query: object, who = admin) =>
  (await club.as(who).call("GET /admin/invite-codes", { query })).body.map(({ id }) => id);
const newcomers = async (id: string, query: object = {}, who = admin) => {
  const { body, headers } = await club.as(who).call("GET /admin/invite-codes/{id}/members", { params: { id }, query });
  return {
    names: body.map(({ username }) => username),
    body,
    total: Number(headers.get("x-total-count")),
    next: headers.get("x-next-cursor"),
  };
};

describe("codes by state", () => {
  test("each is listed and counted under its current state", async () => {
    const [active, soonOver, used, off] = [
      await add({ maxUses: -1 }),
      await add({ expiresAt: "2026-11-22", maxUses: 9 }),
      await add({ maxUses: 1 }),
      await add({ expiresAt: "2026-11-22" }),
    ];
    await join(used.code, "state-anna");
    await club.as(admin).call("PUT /admin/invite-codes/{id}/deactivate", { params: { id: off.id } });
    const states = ["active", "expired", "used", "deactivated"] as const;
    const byState = async () =>
      Object.fromEntries(await Promise.all(states.map(async (state) => [state, await listed({ state })] as const)));
    expect(await byState()).toEqual({
      active: [soonOver.id, active.id].sort().reverse(),
      expired: [],
      used: [used.id],
      deactivated: [off.id],
    });
    club.clock.advance(3 * DAY_MS);
    [admin, moderator] = [await club.admin(), await club.moderator()];
    expect(await byState()).toEqual({
      active: [active.id],
      expired: [soonOver.id],
      used: [used.id],
      deactivated: [off.id],
    });
    expect((await club.as(admin).call("GET /admin/invite-codes/counts")).body).toEqual({
      all: 4,
      active: 1,
      expired: 1,
      used: 1,
      deactivated: 1,
    });
    for (const state of states)
      for (const row of (await club.as(admin).call("GET /admin/invite-codes", { query: { state } })).body)
        expect(row.state).toBe(state);
  });

  test("pages of one state continue where they ended", async () => {
    for (let n = 0; n < 3; n++) {
      club.clock.advance(1_000);
      await add({ maxUses: -1, subscriptionDays: 77 });
    }
    const all = await listed({ state: "active" });
    const first = await club.as(admin).call("GET /admin/invite-codes", { query: { state: "active", limit: 2 } });
    const cursor = first.headers.get("x-next-cursor") ?? "";
    const rest = await listed({ state: "active", cursor });
    expect([...first.body.map(({ id }) => id), ...rest]).toEqual(all);
    expect(first.headers.get("x-total-count")).toBe(String(all.length));
  });
});

describe("a code's maker and who joined by it", () => {
  test("the creator is named, except a VIP member to a moderator, and a deleted one to everybody", async () => {
    const maker = await club.admin({ username: "maker", row: { is_vip: 1, display_name: "Мастер" } });
    const { id } = await add({}, maker);
    const by = async (who: Person, query = {}) =>
      (await club.as(who).call("GET /admin/invite-codes/{id}", { params: { id }, query })).body.createdBy;
    expect(await by(admin)).toEqual({ id: maker.id, username: "maker", displayName: "Мастер" });
    expect([await by(moderator), await by(admin, { as: "moderator" })]).toEqual([null, null]);
    const [row] = (await club.as(moderator).call("GET /admin/invite-codes", { query: { limit: 1 } })).body;
    expect(row).toMatchObject({ id, createdBy: null });
    await club.as(admin).call("DELETE /users/{id}", { params: { id: maker.id } });
    expect(await by(admin)).toBeNull();
  });

  test("those who joined come the newest first, in pages, without VIP members and deleted ones", async () => {
    const { id, code } = await add({ maxUses: -1, subscriptionDays: 30 });
    for (const username of ["came-a", "came-b", "came-c", "came-d"]) {
      club.clock.advance(1_000);
      await join(code, username);
    }
    await club.as(admin).call("PUT /users/{id}", { params: { id: "came-b" }, body: { isVip: true } });
    await club.as(admin).call("DELETE /users/{id}", { params: { id: "came-d" } });
    const first = await newcomers(id, { limit: 2 });
    expect([first.names, first.total]).toEqual([["came-c", "came-b"], 3]);
    expect((await newcomers(id, { limit: 2, cursor: first.next ?? "" })).names).toEqual(["came-a"]);
    expect(first.body[0]).toMatchObject({ isActive: true, entitlement: { allowed: true, reason: "subscription" } });
    const seen = await newcomers(code, {}, moderator);
    expect([seen.names, seen.total]).toEqual([["came-c", "came-a"], 2]);
    expect((await newcomers(id, { as: "moderator" })).names).toEqual(["came-c", "came-a"]);
    expect((await club.as(admin).call("GET /admin/invite-codes/{id}", { params: { id } })).body.currentUses).toBe(4);
  });

  test("a moderator sees no use of a code by a VIP member: not in its count, state or lists, nor after the member is deleted", async () => {
    const code = await add({ maxUses: 2 });
    await join(code.code, "vip-anna");
    await join(code.code, "vip-boris");
    const seen = async (who: Person, query: { as?: "moderator" } = {}) => {
      const { body } = await club.as(who).call("GET /admin/invite-codes/{id}", { params: { id: code.id }, query });
      const counts = (await club.as(who).call("GET /admin/invite-codes/counts", { query })).body;
      const states = (["active", "used"] as const).map(async (state) => {
        const ids = await listed({ state, ...query }, who);
        expect(ids, "the count goes with the list").toHaveLength(counts[state]);
        return ids.includes(code.id) ? [state] : [];
      });
      expect((await listed({ ...query }, who)).length).toBe(counts.all);
      return [body.currentUses, body.state, ...(await Promise.all(states)).flat()];
    };
    expect(await seen(moderator)).toEqual([2, "used", "used"]);
    const anna = { params: { id: "vip-anna" } };
    await club.as(admin).call("PUT /users/{id}", { ...anna, body: { isVip: true } });
    expect(await seen(moderator)).toEqual([1, "active", "active"]);
    expect(await seen(admin, { as: "moderator" })).toEqual([1, "active", "active"]);
    expect(await seen(admin)).toEqual([2, "used", "used"]);
    await club.as(admin).call("DELETE /users/{id}", anna);
    expect(await seen(moderator)).toEqual([1, "active", "active"]);
    expect(await seen(admin)).toEqual([2, "used", "used"]);
  });

  test("staff cannot see a member's own code, and cannot find any code by guessing", async () => {
    const anna = await club.member();
    const { code } = (await club.as(anna).call("POST /users/generate-invite", { body: {} })).body;
    for (const id of [code, "AAAAAA", "00000000-0000-4000-8000-000000000000"]) {
      const params = { id };
      expect((await club.as(admin).call("GET /admin/invite-codes/{id}", { params })).code).toBe("invite.not_found");
      expect((await club.as(admin).call("GET /admin/invite-codes/{id}/members", { params })).code).toBe(
        "invite.not_found",
      );
    }
  });
});

test("of two who edit one code the second is shown what changed, and nothing is silently lost", async () => {
  const { id } = await add({ maxUses: 5, subscriptionDays: 30, expiresAt: "2026-12-31" });
  const seen = (await club.as(admin).call("GET /admin/invite-codes/{id}", { params: { id } })).body;
  const change = (body: object) => club.as(admin).call("PUT /admin/invite-codes/{id}", { params: { id }, body });
  expect((await change({ maxUses: 7, expected: { maxUses: 5 } })).body.maxUses).toBe(7);
  const second = await change({ maxUses: 9, expected: { maxUses: 5, expiresAt: seen.expiresAt } });
  expect([second.status, second.code]).toEqual([409, "invite.changed_meanwhile"]);
  expect(second.body).toMatchObject({ error: { details: { fields: ["maxUses"] } } });
  // A change elsewhere in the code does not get in the way.
  const other = { expiresAt: null, expected: { expiresAt: seen.expiresAt, interfaces } };
  expect((await change(other)).body).toMatchObject({ maxUses: 7, expiresAt: null });
  expect((await change({ subscriptionDays: 3, expected: { subscriptionDays: 30 } })).body.subscriptionDays).toBe(3);
});
