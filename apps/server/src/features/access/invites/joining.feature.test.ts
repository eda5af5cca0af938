import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";

const DAY_MS = 86_400_000;
const PASSWORD = "a phrase of one's own";
let club: Club;
let admin: Person;
let interfaceId: string;
beforeAll(async () => {
  club = await startClub({ environment: { TRUSTED_PROXIES: "127.0.0.1" } });
  admin = await club.admin();
  interfaceId = (await club.as(admin).call("GET /admin/servers/interfaces")).body[0]?.id ?? "";
});
afterAll(() => club.stop());

let newcomers = 0;
/** Someone with an address of their own. */
function newcomer(address = `198.51.100.${++newcomers}`) {
  const headers = { "x-forwarded-for": address };
  return {
    join: (inviteCode: string, username = `newcomer-${++newcomers}`, password = PASSWORD) =>
      club.guest.call("POST /auth/register", { body: { username, password, inviteCode }, headers }),
    check: (code: string) => club.guest.call("POST /auth/check-invite", { body: { code }, headers }),
    attempts: async () => (await club.guest.call("GET /auth/invite-attempts", { headers })).body,
  };
}

async function staffCode(terms: Record<string, unknown> = {}) {
  club.clock.advance(1_100);
  const made = await club
    .as(admin)
    .send("POST", "/api/admin/invite-codes", { interfaces: [interfaceId], maxUses: -1, ...terms });
  expect(made.status).toBe(201);
  return made.body as { id: string; code: string };
}
const membersCount = async () => (await club.as(admin).call("GET /users")).headers.get("x-total-count");
const usesOf = async (code: string) =>
  (await club.as(admin).call("GET /admin/invite-codes", { query: { q: code } })).body[0]?.currentUses;
const assigned = async (memberId: string) => (await club.app.parts.interfaces.assignedTo(club.db, memberId)).sort();

describe("joining", () => {
  test("a code in any case and spacing admits; the answer signs in by token and by cookie", async () => {
    const { code } = await staffCode();
    const typed = ` ${code.slice(0, 3).toLowerCase()}-${code.slice(3)} `;
    expect((await newcomer().check(typed)).body).toEqual({ valid: true });
    const joined = await newcomer().join(typed, "Typed-Name");
    expect(joined.status).toBe(201);
    expect(joined.body.user).toMatchObject({ username: "Typed-Name", displayName: "Typed-Name", role: "user" });
    expect(joined.body.user).toMatchObject({ vpnConfigLimit: 3, hasAcceptedRules: false });
    const me = await club.withToken(joined.body.token).call("GET /auth/me");
    expect(me.body).toEqual(joined.body.user);
    expect(joined.headers.get("set-cookie")).toMatch(/HttpOnly; SameSite=Strict/);
    const login = { username: "typed-name", password: PASSWORD };
    expect((await club.guest.call("POST /auth/login", { body: login })).status).toBe(200);
  });

  test("staff see which code a member joined with, the member does not, and the database stores it sealed only", async () => {
    const { code } = await staffCode();
    const { user } = (await newcomer().join(code)).body;
    expect(user.inviteCode).toBeNull();
    const shown = await club.as(admin).call("GET /users/{id}", { params: { id: user.id } });
    expect([shown.body.inviteCode, shown.body.invite_code]).toEqual([code, code]);
    for (const table of ["members", "invite_codes", "audit", "jobs"] as const) {
      const rows = await club.db
        .withTables<{ [Name in typeof table]: Record<string, unknown> }>()
        .selectFrom(table)
        .selectAll()
        .execute();
      expect(JSON.stringify(rows)).not.toContain(code);
    }
  });

  test.each([
    ["days, counted from registration", { subscriptionDays: 10 }, "2026-12-01"],
    ["an end date, to the end of that day", { subscription_end_date: "2026-12-24" }, "2026-12-24T23:59:59.000+03:00"],
    ["neither, which gives the trial", {}, "2026-11-24"],
  ])("a staff code with %s", async (_what, terms, end) => {
    const { code } = await staffCode(terms);
    const { user } = (await newcomer().join(code)).body;
    expect(user.subscriptionEnd?.startsWith(end)).toBe(true);
    expect(user.entitlement).toMatchObject({ allowed: true, reason: "subscription" });
    expect(await assigned(user.id)).toEqual([interfaceId]);
  });

  test("a member's own code gives the trial and their interfaces, records them as the inviter, and admits one", async () => {
    const inviter = await club.member();
    await club.transact((tx) => club.app.parts.interfaces.assign(tx, inviter.id, [interfaceId]));
    const own = await club.as(inviter).call("POST /users/generate-invite", { body: {} });
    const joined = await newcomer().join(own.body.code);
    const now = club.clock.now().getTime();
    expect(Date.parse(joined.body.user.subscriptionEnd ?? "")).toBe(now + 3 * DAY_MS);
    expect(await assigned(joined.body.user.id)).toEqual([interfaceId]);
    const row = await club.app.parts.members.find(club.db, joined.body.user.id);
    expect(row).toMatchObject({ invited_by: inviter.id, subscription_source: "trial" });
    expect((await newcomer().join(own.body.code)).code).toBe("invite.wrong_code");
  });

  test("of many who race for the last use one wins, and the others get 'wrong code'", async () => {
    const { code } = await staffCode({ maxUses: 2 });
    expect((await newcomer().join(code)).status).toBe(201);
    const before = Number(await membersCount());
    const racers = await Promise.all(Array.from({ length: 6 }, () => newcomer().join(code)));
    expect(racers.filter(({ status }) => status === 201)).toHaveLength(1);
    const lost = racers.filter(({ status }) => status !== 201);
    expect(new Set(lost.map(({ message }) => message))).toEqual(new Set(["Неверный код приглашения"]));
    expect(Number(await membersCount())).toBe(before + 1);
    expect(await usesOf(code)).toBe(2);
  });

  test("of many who race for one name one gets it, and the others' codes keep their use", async () => {
    const { code } = await staffCode({ maxUses: 10 });
    const racers = await Promise.all(["Wanted", "wanted", "WANTED"].map((name) => newcomer().join(code, name)));
    expect(racers.map(({ code: refusal }) => refusal ?? "joined").sort()).toEqual([
      "joined",
      "member.username_taken",
      "member.username_taken",
    ]);
    expect(await usesOf(code)).toBe(1);
  });

  test.each([
    ["a taken name", "TAKEN-name", PASSWORD, "member.username_taken"],
    ["a bad name", "no", PASSWORD, "member.username_invalid"],
    ["a name with a line break", "abc\ndef", PASSWORD, "member.username_invalid"],
    ["a short password", "fine-name", "12345", "password.too_short"],
    ["a well-known password", "fine-name", "password", "password.common"],
    ["a password without end", "fine-name", "x".repeat(129), "password.too_long"],
  ])("%s uses no code, counts no attempt and makes no member", async (_what, username, password, refusal) => {
    await club.member({ username: "taken-name" }).catch(() => undefined);
    const { code } = await staffCode();
    const before = await membersCount();
    const someone = newcomer();
    for (let n = 0; n < 6; n++) expect((await someone.join(code, username, password)).code).toBe(refusal);
    expect(await usesOf(code)).toBe(0);
    expect(await someone.attempts()).toEqual({ count: 0, bannedUntil: null });
    expect(await membersCount()).toBe(before);
  });

  test("names cannot be tried out without a code", async () => {
    await club.member({ username: "secretive" });
    expect((await newcomer().join("AAAAAA", "secretive")).code).toBe("invite.wrong_code");
  });

  test.each(["expired", "over", "deactivated", "used"])("a code that is %s is a wrong code", async (state) => {
    const { id, code } = await staffCode({ maxUses: 1, expiresAt: "2026-11-30" });
    if (state === "deactivated")
      await club.as(admin).call("PUT /admin/invite-codes/{id}/deactivate", { params: { id } });
    if (state === "used") await newcomer().join(code);
    if (state === "expired") await endNow(id, "expires_at");
    // Its subscription was until a fixed date that has passed.
    if (state === "over") await endNow(id, "subscription_end");
    expect((await newcomer().check(code)).code).toBe("invite.wrong_code");
    expect((await newcomer().join(code)).code).toBe("invite.wrong_code");
  });

  /** Ends it without moving everyone else's clock. */
  const endNow = (id: string, what: "expires_at" | "subscription_end") =>
    club.transact((tx) =>
      tx
        .withTables<{ invite_codes: { id: string; expires_at: number; subscription_end: number } }>()
        .updateTable("invite_codes")
        .set({ [what]: club.clock.now().getTime() })
        .where("id", "=", id)
        .execute(),
    );

  test("a blocked or deleted member's own code admits nobody", async () => {
    for (const act of ["block", "delete"]) {
      const inviter = await club.member();
      const { code } = (await club.as(inviter).call("POST /users/generate-invite", { body: {} })).body;
      const path = `/api/users/${inviter.id}`;
      if (act === "block") await club.as(admin).send("PUT", path, { isActive: false });
      else await club.as(admin).send("DELETE", path);
      expect((await newcomer().join(code)).code).toBe("invite.wrong_code");
    }
  });

  test.each([
    ["inviteCode", { inviteCode: "x".repeat(65) }],
    ["inviteCode", { inviteCode: 123456 }],
    ["inviteCode", { inviteCode: undefined }],
    ["inviteCode", { inviteCode: "ABC\u0000DE" }],
    ["username", { username: { $ne: null } }],
    ["password", { password: ["x"] }],
    ["password", { password: "x".repeat(2_000) }],
    ["role", { role: "admin" }],
    ["isUnlimited", { isUnlimited: true }],
  ])("a hostile %s is refused by name", async (field, change) => {
    const body = { username: "hostile", password: PASSWORD, inviteCode: "ABCDEF", ...change };
    const answer = await club.guest.send("POST", "/api/auth/register", body);
    expect([answer.status, answer.code]).toEqual([400, "request.invalid"]);
    expect(answer.body).toMatchObject({ error: { details: { field } } });
    expect(answer.message).toContain(field);
  });
});
