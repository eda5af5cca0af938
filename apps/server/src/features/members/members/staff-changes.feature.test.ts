import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";

const DAY_MS = 86_400_000;

let club: Club;
let admin: Person;
let other: Person;
beforeAll(async () => {
  club = await startClub({ localServer: "off" });
  admin = await club.admin({ username: "chief", row: { display_name: "Глава" } });
  other = await club.admin({ username: "second", row: { display_name: "Второй" } });
});
beforeEach(() => club.clock.advance(61_000));
afterAll(() => club.stop());

const change = (who: Person, id: string, body: object) =>
  club.as(who).call("PUT /users/{id}", { params: { id }, body: body as never });
const file = (id: string, who = admin) => club.as(who).call("GET /admin/users/{id}", { params: { id }, query: {} });
/** A call with its key, as a page resends it after losing the answer. */
const keyed = (path: "POST /admin/users/bulk" | "POST /admin/users/bulk/matching", body: object, key: string) =>
  club.as(admin).call(path, { body: body as never, headers: { "idempotency-key": key.replace(/[^a-z]/gi, "-") } });
const bulk = (body: object) => club.as(admin).call("POST /admin/users/bulk", { body: body as never });
const show = async (id: string) => (await club.as(admin).call("GET /users/{id}", { params: { id } })).body;

describe("two admins who edit one member at once", () => {
  test("the second learns which of their fields changed meanwhile, and nothing is written", async () => {
    const { id } = await club.member();
    const seen = await show(id);
    expect((await change(admin, id, { vpnConfigLimit: 7, expected: { vpnConfigLimit: 3 } })).status).toBe(200);
    const late = await change(other, id, {
      vpnConfigLimit: 5,
      displayName: "Новое имя",
      expected: { vpnConfigLimit: 3, displayName: seen.displayName },
    });
    expect([late.status, late.code]).toEqual([409, "member.changed_meanwhile"]);
    expect((late.body as never as { error: { details: object } }).error.details).toEqual({
      fields: ["vpnConfigLimit"],
    });
    expect(await show(id)).toMatchObject({ vpnConfigLimit: 7, displayName: seen.displayName });
    // With the new value seen, the change is accepted.
    expect((await change(other, id, { vpnConfigLimit: 5, expected: { vpnConfigLimit: 7 } })).body.vpnConfigLimit).toBe(
      5,
    );
  });

  test("do not conflict if they change different fields", async () => {
    const { id } = await club.member();
    const seen = await show(id);
    const answers = await Promise.all([
      change(admin, id, { vpnConfigLimit: 9, expected: { vpnConfigLimit: 3 } }),
      change(other, id, { displayName: "Имя", expected: { displayName: seen.displayName } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await show(id)).toMatchObject({ vpnConfigLimit: 9, displayName: "Имя" });
  });

  test("if they change one field at the same moment, one of them is refused", async () => {
    const { id } = await club.member();
    const answers = await Promise.all(
      [admin, other].map((who, n) => change(who, id, { vpnConfigLimit: 10 + n, expected: { vpnConfigLimit: 3 } })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test.each([
    ["a date", { subscriptionEnd: "2027-01-31" }, { subscriptionEnd: "2026-12-01T00:00:00Z" }],
    ["a block", { isActive: false }, { isActive: false }],
    ["a role", { role: "moderator" }, { role: "admin" }],
  ])("the check covers %s too", async (_, input, expected) => {
    const { id } = await club.member();
    expect((await change(admin, id, { ...input, expected })).code).toBe("member.changed_meanwhile");
  });

  test("the same time in another notation is not a conflict", async () => {
    const { id } = await club.member();
    const { subscriptionEnd } = await show(id);
    const answer = await change(admin, id, { subscriptionEnd: "2027-03-01", expected: { subscriptionEnd } });
    expect(answer.status).toBe(200);
  });
});

describe("many members at once", () => {
  test("are blocked with their configs, and unblocked, in one call", async () => {
    const people = [await club.member(), await club.member()];
    const ids = people.map(({ id }) => id);
    const { body } = await bulk({ ids, action: "block", blockConfigs: true });
    expect(body).toEqual({ changed: [...ids].sort(), refused: [] });
    for (const person of people) expect((await club.as(person).call("GET /auth/me")).code).toBe("auth.required");
    await bulk({ ids, action: "unblock" });
    for (const id of ids) expect((await show(id)).isActive).toBe(true);
  });

  test("all that match are changed slice by slice, each once; the others are listed with the reason", async () => {
    const end = club.clock.now().getTime() + DAY_MS;
    for (let n = 0; n < 101; n++)
      await club.member({ username: `slice-${n}`, subscriptionEnd: end, row: n === 0 ? { is_unlimited: 1 } : {} });
    const outside = await club.member({ username: "not-matching", subscriptionEnd: end });
    const slice = async (after: string | null) =>
      (
        await club.as(admin).call("POST /admin/users/bulk/matching", {
          body: { matching: { q: "slice-" }, after, action: "extend", days: 30 },
        })
      ).body;
    const first = await slice(null);
    expect(first.changed + first.refused.length).toBe(100);
    expect(first.after).not.toBeNull();
    const second = await slice(first.after);
    expect(second.after).toBeNull();
    expect(first.changed + second.changed).toBe(100);
    expect([...first.refused, ...second.refused]).toEqual([
      expect.objectContaining({ username: "slice-0", code: "member.unlimited", message: expect.stringMatching(/\S/) }),
    ]);
    const { dayOf } = club.app.parts.clubTime;
    const { body } = await club.as(admin).call("GET /users", { query: { q: "slice-", limit: 200 } });
    const days = new Set(body.slice(1).map(({ subscriptionEnd }) => dayOf(Date.parse(subscriptionEnd ?? ""))));
    expect([...days]).toEqual([dayOf(end + 30 * DAY_MS)]);
    expect(Date.parse((await show(outside.id)).subscriptionEnd ?? "")).toBe(end);
  });

  test("get their days added to the current end or to today, up to the end of that day", async () => {
    const now = club.clock.now().getTime();
    const { dayOf } = club.app.parts.clubTime;
    const running = await club.member({ subscriptionEnd: now + 10 * DAY_MS });
    const expired = await club.member({ subscriptionEnd: now - 10 * DAY_MS });
    await bulk({ ids: [running.id, expired.id], action: "extend", days: 30 });
    const endOf = async (id: string) => {
      const end = Date.parse((await show(id)).subscriptionEnd ?? "");
      expect(new Date(end).toISOString().slice(14, 19), "23:59:59 in Moscow").toBe("59:59");
      return dayOf(end);
    };
    expect(await endOf(running.id)).toBe(dayOf(now + 40 * DAY_MS));
    expect(await endOf(expired.id)).toBe(dayOf(now + 30 * DAY_MS));
  });

  test("get calendar days, also across a change to or from daylight saving time", async () => {
    const club = await startClub({ environment: { CLUB_TIME_ZONE: "Europe/Berlin" } });
    onTestFinished(() => club.stop());
    const endAfter = async (now: string, end: string | null) => {
      club.clock.advance(Date.parse(now) - club.clock.now().getTime());
      const admin = await club.admin();
      const { id } = await club.member({ subscriptionEnd: end === null ? null : Date.parse(end) });
      await club.as(admin).call("POST /admin/users/bulk", { body: { ids: [id], action: "extend", days: 30 } });
      const { body } = await club.as(admin).call("GET /users/{id}", { params: { id } });
      return body.subscriptionEnd;
    };
    expect(await endAfter("2027-03-10T12:00:00+01:00", "2027-03-20T23:59:59+01:00")).toBe(
      "2027-04-19T23:59:59.000+02:00",
    );
    expect(await endAfter("2027-10-10T00:30:00+02:00", null)).toBe("2027-11-09T23:59:59.000+01:00");
  });

  test("those who cannot be changed are listed with the reason; the others are changed", async () => {
    const endless = await club.member({ row: { is_unlimited: 1 } });
    const usual = await club.member();
    const unknown = "00000000-0000-4000-8000-000000000000";
    const { body } = await bulk({ ids: [endless.id, usual.id, unknown], action: "extend" });
    expect(body.changed).toEqual([usual.id]);
    expect(Object.fromEntries(body.refused.map(({ id, code }) => [id, code]))).toEqual({
      [endless.id]: "member.unlimited",
      [unknown]: "member.not_found",
    });
  });

  test("cannot leave the club without an admin", async () => {
    const alone = await startClub({ localServer: "off" });
    try {
      const [one, two] = [await alone.admin(), await alone.admin()];
      const block = (by: Person, whom: Person) =>
        alone.as(by).call("POST /admin/users/bulk", { body: { ids: [whom.id], action: "block" } });
      const answers = await Promise.all([block(one, two), block(two, one)]);
      // The later one is already signed out, or is refused with the reason.
      expect(answers.filter(({ status, body }) => status === 200 && body.changed.length === 1)).toHaveLength(1);
      const inside = await Promise.all([one, two].map((who) => alone.as(who).call("GET /admin/rights")));
      expect(inside.map(({ status }) => status).sort()).toEqual([200, 401]);
    } finally {
      await alone.stop();
    }
  });

  test("an admin who blocks a whole page is not blocked themselves", async () => {
    const [usual, other] = [await club.member(), await club.admin()];
    const answer = await bulk({ ids: [usual.id, admin.id, other.id], action: "block" });
    expect(answer.body.changed.sort()).toEqual([usual.id, other.id].sort());
    expect(answer.body.refused).toMatchObject([{ id: admin.id, code: "member.block_oneself" }]);
  });

  test("each change has its own entry in the audit", async () => {
    const { id } = await club.member();
    await bulk({ ids: [id], action: "block" });
    const [entry] = (await file(id)).body.history;
    expect(entry).toMatchObject({
      action: "member.changed",
      by: { displayName: "Глава" },
      before: { isActive: 1 },
      after: { isActive: 0 },
    });
  });
});

describe("a member's page", () => {
  test("shows a moderator what the audit shows, and nothing about VIP members", async () => {
    const moderator = await club.moderator();
    const [usual, vip] = [await club.member(), await club.member({ row: { is_vip: 1 } })];
    const hiddenAdmin = await club.admin({ row: { is_vip: 1 } });
    await change(hiddenAdmin, usual.id, { vpnConfigLimit: 5 });
    await change(admin, usual.id, { vpnConfigLimit: 6 });
    const ticket = await club.as(usual).call("POST /support/tickets", {
      body: { subject: "Не работает", description: "Ничего не открывается" } as never,
    });
    const assigned = await club.as(admin).call("PUT /admin/support/tickets/{id}", {
      params: { id: ticket.body.id },
      body: { assignedTo: hiddenAdmin.id },
    });
    expect(assigned.status).toBe(200);
    const seenBy = async (who: Person) =>
      (await club.as(who).call("GET /admin/users/{id}", { params: { id: usual.id } })).body.history;
    const all = await seenBy(admin);
    expect(all.map(({ action }) => action)).toContain("support.ticket_changed");
    expect(JSON.stringify(all)).toContain(hiddenAdmin.id);
    const some = await seenBy(moderator);
    expect(some.filter(({ action }) => action === "member.changed")).toMatchObject([{ after: { vpnConfigLimit: 6 } }]);
    for (const hidden of [vip, hiddenAdmin]) expect(JSON.stringify(some)).not.toContain(hidden.id);
  });

  test("shows who invited them, where they are signed in and what staff changed", async () => {
    const inviter = await club.member({ row: { display_name: "Марина" } });
    const friend = await club.member({ row: { friend_of: inviter.id, invited_by: inviter.id, invite_code_id: "x" } });
    await change(admin, friend.id, { vpnConfigLimit: 4 });
    const { body } = await file(friend.username);
    expect(body).toMatchObject({
      member: { id: friend.id, configCount: 0, lastHandshake: null, monthBytes: 0 },
      invitedBy: { id: inviter.id, displayName: "Марина" },
      joinedBy: "friend",
      hasPassword: true,
      twoFactorEnabled: false,
    });
    expect(body.sessions).toHaveLength(1);
    expect(body.history[0]).toMatchObject({ action: "member.changed", before: { vpnConfigLimit: 3 } });
    const added = await club.as(admin).call("POST /users", { body: { username: "by-hand" } });
    expect((await file(added.body.user.id)).body).toMatchObject({
      joinedBy: "added",
      hasPassword: false,
      sessions: [],
    });
  });

  test("does not exist for a moderator if the member is VIP, and names no VIP member on another's", async () => {
    const moderator = await club.moderator();
    const vip = await club.member({ row: { is_vip: 1 } });
    const friend = await club.member({ row: { friend_of: vip.id, invited_by: vip.id, invite_code_id: "x" } });
    expect((await file(vip.id, moderator)).code).toBe("member.not_found");
    expect((await file(friend.id, moderator)).body.invitedBy).toBeNull();
    expect((await file(friend.id)).body.invitedBy).toMatchObject({ id: vip.id });
    const asModerator = await club
      .as(admin)
      .call("GET /admin/users/{id}", { params: { id: vip.id }, query: { as: "moderator" } });
    expect(asModerator.code).toBe("member.not_found");
  });

  test("an admin ends all sessions of a member; the admin's own stays", async () => {
    const member = await club.member();
    const end = (id: string) => club.as(admin).call("DELETE /admin/users/{id}/sessions", { params: { id } });
    expect((await end(member.id)).status).toBe(204);
    expect((await club.as(member).call("GET /auth/me")).code).toBe("auth.required");
    await end(admin.id);
    expect((await club.as(admin).call("GET /auth/me")).status).toBe(200);
    expect((await end("nobody")).code).toBe("member.not_found");
  });
});

test("an extension resent with its key after a lost answer extends nobody twice", async () => {
  const inTenDays = club.clock.now().getTime() + 10 * DAY_MS;
  const chosen = await club.member({ username: "twice-chosen", subscriptionEnd: inTenDays });
  const matched = await club.member({ username: "twice-matched", subscriptionEnd: inTenDays });
  const endOf = async ({ id }: Person) =>
    (await club.as(admin).call("GET /users/{id}", { params: { id } })).body.subscriptionEnd;
  for (const [path, who, input] of [
    ["POST /admin/users/bulk", chosen, { ids: [chosen.id] }],
    ["POST /admin/users/bulk/matching", matched, { matching: { q: "twice-matched" }, after: null }],
  ] as const) {
    const body = { ...input, action: "extend", days: 30 };
    const [first, atOnce] = await Promise.all([keyed(path, body, path), keyed(path, body, path)]);
    const end = await endOf(who);
    expect(Date.parse(end ?? "")).toBeLessThan(inTenDays + 32 * DAY_MS);
    const again = await keyed(path, body, path);
    expect([atOnce.body, again.body]).toEqual([first.body, first.body]);
    expect((await keyed(path, { ...body, days: 90 }, path)).code).toBe("request.idempotency_mismatch");
    expect(await endOf(who)).toBe(end);
    await keyed(path, body, `${path}, a second extension`);
    expect(Date.parse((await endOf(who)) ?? "")).toBeGreaterThan(inTenDays + 59 * DAY_MS);
  }
});

describe("a member of staff who left", () => {
  const leave = (who: Person, id: string, body: object = {}) =>
    club.as(who).call("POST /admin/users/{id}/leave-staff", { params: { id }, body: body as never });
  beforeEach(() => club.as(admin).call("POST /auth/confirm-password", { body: { password: admin.password } }));

  test("loses everything they had as staff at once, and stays a member", async () => {
    const vera = await club.moderator();
    const tokens = await club.as(vera).call("POST /api-tokens", {
      body: { name: "script", scopes: ["payments:read"], days: 30 },
    });
    expect((await leave(admin, vera.id)).body).toMatchObject({ role: "user", isActive: true });
    expect((await club.as(vera).call("GET /auth/me")).code).toBe("auth.required");
    expect((await club.as({ ...vera, token: tokens.body.token }).call("GET /auth/me")).status).toBe(401);
    const after = (await file(vera.id)).body;
    expect(after).toMatchObject({ twoFactorEnabled: false, passkeyCount: 0, sessions: [] });
    expect(after.history.map(({ action }) => action)).toContain("member.left_staff");
  });

  test("may be blocked in the same press", async () => {
    const vera = await club.moderator();
    expect((await leave(admin, vera.id, { block: true })).body).toMatchObject({ role: "user", isActive: false });
  });

  test("is neither an ordinary member nor oneself, and only admins say so", async () => {
    const [boris, vera] = [await club.member(), await club.moderator()];
    expect((await leave(admin, boris.id)).code).toBe("member.not_staff");
    expect((await leave(admin, admin.id)).code).toBe("member.not_others");
    expect((await leave(vera, other.id)).code).toBe("auth.forbidden");
  });
});
