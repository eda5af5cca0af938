import { randomUUID } from "node:crypto";
import { INVITE_ALPHABET } from "@krug/domain/invite-rules";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";

const HOUR_MS = 3_600_000;
let club: Club;
let admin: Person;
let interfaces: string[];
beforeAll(async () => {
  club = await startClub();
  admin = await club.admin();
  interfaces = (await club.as(admin).call("GET /admin/servers/interfaces")).body.map(({ id }) => id);
});
// A member may make sixty creations a minute.
beforeEach(() => club.clock.advance(61_000));
afterAll(() => club.stop());

const add = (terms: Record<string, unknown> = {}, by = admin) =>
  club.as(by).send("POST", "/api/admin/invite-codes", { interfaces, ...terms });
const change = (id: string, body: unknown) => club.as(admin).send("PUT", `/api/admin/invite-codes/${id}`, body);
const ownCode = (member: Person, body: Record<string, string> = {}) =>
  club.as(member).call("POST /users/generate-invite", { body });
type Code = { id: string; code: string };

describe("a member's own code", () => {
  test("lives twelve hours, one at a time: asking again, even twice at once, gives the same one", async () => {
    const anna = await club.member();
    const params = { id: anna.id };
    expect((await club.as(anna).call("GET /users/{id}/active-invite", { params })).body).toEqual({ expiresAt: null });
    const made = await Promise.all([ownCode(anna), ownCode(anna), ownCode(anna)]);
    const { code, expiresAt } = made[0].body;
    expect(made.map((answer) => answer.body)).toEqual(Array(3).fill({ code, expiresAt }));
    expect(Date.parse(expiresAt) - club.clock.now().getTime()).toBe(12 * HOUR_MS);
    expect([...code].every((letter) => INVITE_ALPHABET.includes(letter)) && code.length === 6).toBe(true);
    const active = () => club.as(anna).call("GET /users/{id}/active-invite", { params: { id: anna.username } });
    expect((await active()).body).toEqual({ code, expiresAt });
    club.clock.advance(12 * HOUR_MS);
    expect((await active()).body).toEqual({ expiresAt: null });
    expect((await ownCode(anna)).body.code).not.toBe(code);
  });

  test("is visible to its owner only", async () => {
    const [anna, boris] = [await club.member(), await club.member()];
    expect((await ownCode(anna, { userId: boris.id })).code).toBe("auth.not_yourself");
    expect((await ownCode(anna, { username: boris.username })).code).toBe("auth.not_yourself");
    expect((await ownCode(anna, { userId: anna.id, username: anna.username.toUpperCase() })).status).toBe(200);
    for (const id of [anna.id, anna.username, randomUUID()])
      expect((await club.as(boris).call("GET /users/{id}/active-invite", { params: { id } })).code).toBe(
        "auth.not_yourself",
      );
  });

  test.each([
    ["without a subscription", "invite.needs_subscription", { subscription_end: null }],
    ["on the trial", "invite.on_trial", { subscription_source: "trial" as const }],
    ["before he accepted the rules", "invite.needs_rules", { accepted_rules_at: null }],
  ])("is not made %s", async (_when, refusal, row) => {
    const member = await club.member({ row });
    expect((await ownCode(member)).code).toBe(refusal);
    expect((await club.as(member).call("GET /users/{id}/active-invite", { params: { id: member.id } })).body).toEqual({
      expiresAt: null,
    });
  });

  test("is made ten times in the club's month, and again in the next", async () => {
    const anna = await club.member({ row: { is_unlimited: 1 } });
    for (let n = 0; n < 10; n++) {
      expect((await ownCode(anna)).status).toBe(200);
      club.clock.advance(12 * HOUR_MS);
    }
    const eleventh = await ownCode(anna);
    expect(eleventh.code).toBe("invite.monthly_limit");
    expect(eleventh.message).toContain("10");
    // 1 December begins in Moscow at 21:00 UTC.
    club.clock.advance(Date.parse("2026-11-30T21:00:00Z") - club.clock.now().getTime());
    expect((await ownCode(anna)).status).toBe(200);
    admin = await club.admin();
  });
});

describe("a staff code", () => {
  test("says what it grants, in both spellings, with the days' ends in the club's zone", async () => {
    const terms = { max_uses: -1, expires_at: "2026-12-05", subscription_end_date: "2027-01-31" };
    const made = await add(terms);
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      maxUses: -1,
      currentUses: 0,
      expiresAt: "2026-12-05T23:59:59.000+03:00",
      subscriptionDays: null,
      subscriptionEndDate: "2027-01-31T23:59:59.000+03:00",
      interfaces,
      isActive: true,
      is_active: 1,
      state: "active",
    });
    expect((await add()).body).toMatchObject({ maxUses: 1, expiresAt: null, subscriptionEndDate: null });
  });

  test("is found by its id and by the code, in any case", async () => {
    const { id, code } = (await add()).body as Code;
    for (const [path, days] of [
      [id, 5],
      [code, 6],
      [code.toLowerCase(), 7],
    ] as const)
      expect((await change(path, { subscriptionDays: days })).body).toMatchObject({ id, subscriptionDays: days });
    for (const path of [randomUUID(), "AAAAAA", "nonsense", "%00", "a'b"])
      expect((await change(path, { maxUses: 2 })).status).toBeGreaterThanOrEqual(400);
    expect((await change(randomUUID(), { maxUses: 2 })).code).toBe("invite.not_found");
  });

  test("stays deactivated, whatever is changed afterwards", async () => {
    const { id, code } = (await add({ maxUses: 5 })).body as Code;
    const deactivate = () => club.as(admin).send("PUT", `/api/admin/invite-codes/${code}/deactivate`);
    expect((await deactivate()).body).toMatchObject({ isActive: false, state: "deactivated" });
    expect((await deactivate()).status).toBe(200);
    const changed = await change(id, { maxUses: 50, expiresAt: null });
    expect(changed.body).toMatchObject({ maxUses: 50, isActive: false, is_active: 0, state: "deactivated" });
    expect((await change(id, { isActive: true })).code).toBe("request.invalid");
    expect((await club.guest.call("POST /auth/check-invite", { body: { code } })).code).toBe("invite.wrong_code");
  });

  test("cannot be brought back once expired or used up", async () => {
    const soon = new Date(club.clock.now().getTime() + 60_000).toISOString();
    const expired = (await add({ expiresAt: soon })).body as Code;
    const used = (await add({ maxUses: 1, subscriptionDays: 5 })).body as Code;
    const body = { username: "the-only-one", password: "a fairly long one", inviteCode: used.code };
    expect((await club.guest.call("POST /auth/register", { body })).status).toBe(201);
    club.clock.advance(61_000);
    for (const [id, input] of [
      [expired.id, { expiresAt: null }],
      [expired.id, { expiresAt: "2030-01-01" }],
      [used.id, { maxUses: 2 }],
      [used.id, { maxUses: -1 }],
    ] as const)
      expect([input, (await change(id, input)).code]).toEqual([input, "invite.not_active"]);
    // What it granted can still be corrected.
    expect((await change(used.id, { subscriptionDays: 7 })).body).toMatchObject({ subscriptionDays: 7, state: "used" });
  });

  test("grants days or an end date: setting one clears the other", async () => {
    const { id } = (await add({ subscriptionDays: 5 })).body as Code;
    expect((await change(id, { subscriptionEndDate: "2027-02-01" })).body).toMatchObject({ subscriptionDays: null });
    expect((await change(id, { subscription_days: 9 })).body).toMatchObject({ subscriptionEndDate: null });
    const both = { subscriptionDays: 5, subscriptionEndDate: "2027-02-01" };
    expect((await add(both)).code).toBe("invite.days_or_date");
    expect((await change(id, both)).code).toBe("invite.days_or_date");
    expect((await change(id, {})).body).toMatchObject({ subscriptionDays: 9 });
  });

  test.each([
    ["maxUses", { maxUses: 0 }],
    ["maxUses", { maxUses: -2 }],
    ["maxUses", { max_uses: "many" }],
    ["maxUses", { maxUses: 1.5 }],
    ["subscriptionDays", { subscriptionDays: 0 }],
    ["subscriptionDays", { subscription_days: 1e9 }],
    ["interfaces", { interfaces: [] }],
    ["interfaces", { interfaces: undefined }],
    ["interfaces", { interfaces: [randomUUID()] }],
    ["interfaces.0", { interfaces: ["'; drop table interfaces"] }],
    ["expiresAt", { expiresAt: "2026-11-20" }],
    ["expiresAt", { expires_at: "tomorrow" }],
    ["expiresAt", { expiresAt: 1_900_000_000_000 }],
    ["subscriptionEndDate", { subscriptionEndDate: "2026-11-20" }],
    ["subscriptionEndDate", { subscriptionEndDate: "2026-13-01" }],
    ["code", { code: "AAAAAA" }],
    ["isActive", { isActive: 1 }],
  ])("with a bad %s is refused by name and not made", async (field, terms) => {
    const count = async () => (await club.as(admin).call("GET /admin/invite-codes")).headers.get("x-total-count");
    const before = await count();
    const answer = await add(terms);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ error: { details: { field } } });
    expect(await count()).toBe(before);
  });

  test("lists come the newest first, in pages that neither lose nor repeat a code, and hold no member's own codes", async () => {
    const anna = await club.member();
    const own = (await ownCode(anna)).body.code;
    for (let n = 0; n < 5; n++) await add();
    const all = (await club.as(admin).call("GET /admin/invite-codes")).body;
    expect(all.map((row) => row.code)).not.toContain(own);
    const times = all.map((row) => row.createdAt);
    expect(times).toEqual([...times].sort().reverse());
    const read: string[] = [];
    let cursor: string | null = null;
    do {
      const query: { limit: number; cursor?: string } = { limit: 2 };
      if (cursor !== null) query.cursor = cursor;
      const page = await club.as(admin).call("GET /admin/invite-codes", { query });
      expect(page.headers.get("x-total-count")).toBe(String(all.length));
      read.push(...page.body.map((row) => row.id));
      cursor = page.headers.get("x-next-cursor");
    } while (cursor !== null);
    expect(read).toEqual(all.map((row) => row.id));
    const found = await club.as(admin).call("GET /admin/invite-codes", { query: { q: all[0]?.code ?? "" } });
    expect(found.body).toEqual([all[0]]);
    expect((await club.as(admin).call("GET /admin/invite-codes", { query: { q: "zzz" } })).body).toEqual([]);
    expect((await club.as(admin).call("GET /admin/invite-codes", { query: { cursor: "zzz" } })).status).toBe(404);
  });

  test("moderators read codes, only admins make and change them, members do neither", async () => {
    const [moderator, member] = [await club.moderator(), await club.member()];
    const { id } = (await add()).body as Code;
    expect((await club.as(moderator).call("GET /admin/invite-codes")).status).toBe(200);
    expect((await add({}, moderator)).code).toBe("auth.forbidden");
    expect((await club.as(moderator).send("PUT", `/api/admin/invite-codes/${id}/deactivate`)).code).toBe(
      "auth.forbidden",
    );
    expect((await club.as(member).call("GET /admin/invite-codes")).code).toBe("auth.forbidden");
  });

  test("staff's changes to codes are in the audit, without the code", async () => {
    const { id, code } = (await add({ maxUses: 3 })).body as Code;
    await change(id, { maxUses: 4 });
    await club.as(admin).send("PUT", `/api/admin/invite-codes/${id}/deactivate`);
    const rows = await club.db
      .withTables<{ audit: { action: string; target: string; at: number } }>()
      .selectFrom("audit")
      .selectAll()
      .where("target", "=", id)
      .execute();
    expect(rows.map((row) => row.action).sort()).toEqual(["invite.added", "invite.changed", "invite.deactivated"]);
    expect(JSON.stringify(rows)).not.toContain(code);
  });
});

test("the codes of somebody who left staff end with their role; others' stay", async () => {
  const [left, chief] = [await club.admin(), await club.admin()];
  const codes = [(await add({}, left)).body as Code, (await add({}, left)).body as Code, (await add()).body as Code];
  await club.as(chief).call("POST /admin/users/{id}/leave-staff", { params: { id: left.id }, body: {} });
  const states = [];
  for (const { id } of codes)
    states.push((await club.as(admin).call("GET /admin/invite-codes/{id}", { params: { id } })).body.state);
  expect(states).toEqual(["deactivated", "deactivated", "active"]);
});
