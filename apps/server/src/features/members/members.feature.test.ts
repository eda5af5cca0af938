import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Club, type Person, startClub } from "../../dev/start-club.ts";

const DAY_MS = 86_400_000;
let club: Club;
let admin: Person;
beforeAll(async () => {
  club = await startClub();
  admin = await club.admin({ username: "chief" });
});
// Sixty creations a minute are a member's share.
beforeEach(() => club.clock.advance(61_000));
afterAll(() => club.stop());

const put = (id: string, body: unknown, by = admin) => club.as(by).send("PUT", `/api/users/${id}`, body);
const seen = async (id: string) => (await club.as(admin).call("GET /users/{id}", { params: { id } })).body;

describe("the list", () => {
  test("comes by name in pages that neither lose nor repeat anyone, with the whole count on each", async () => {
    for (const username of ["page-d", "Page-B", "page-a", "page-c", "page-e"]) await club.member({ username });
    const read: string[] = [];
    let cursor: string | null = null;
    do {
      const query: { q: string; limit: number; cursor?: string } = { q: "PAGE-", limit: 2 };
      if (cursor !== null) query.cursor = cursor;
      const page = await club.as(admin).call("GET /users", { query });
      expect(page.headers.get("x-total-count")).toBe("5");
      read.push(...page.body.map((member) => member.username));
      cursor = page.headers.get("x-next-cursor");
    } while (cursor !== null);
    expect(read).toEqual(["page-a", "Page-B", "page-c", "page-d", "page-e"]);
  });

  test("is searched by username and by display name in any case, and % and _ mean themselves", async () => {
    await club.member({ username: "under_score", row: { display_name: "Борис Ёлкин" } });
    await club.member({ username: "underXscore", row: { display_name: "100% свой" } });
    const found = async (q: string) =>
      (await club.as(admin).call("GET /users", { query: { q } })).body.map((member) => member.username);
    expect(await found("ёлКИН")).toEqual(["under_score"]);
    expect(await found("UNDER_")).toEqual(["under_score"]);
    expect(await found("0%")).toEqual(["underXscore"]);
    expect(await found("' or 1=1 --")).toEqual([]);
    expect(await found("\\")).toEqual([]);
  });

  test("tells the active from the blocked", async () => {
    const blocked = await club.member({ username: "state-blocked", row: { is_active: 0 } });
    await club.member({ username: "state-active" });
    const found = async (state: "active" | "blocked" | "all") =>
      (await club.as(admin).call("GET /users", { query: { q: "state-", state } })).body.map(({ username }) => username);
    expect(await found("blocked")).toEqual([blocked.username]);
    expect(await found("active")).toEqual(["state-active"]);
    expect(await found("all")).toHaveLength(2);
  });

  test("VIP members do not exist for a moderator: not in the list, not in its count, not by id or name", async () => {
    const moderator = await club.moderator();
    const vip = await club.member({ username: "vip-quiet", row: { is_vip: 1 } });
    await club.member({ username: "vip-not" });
    const ofModerator = await club.as(moderator).call("GET /users", { query: { q: "vip-" } });
    expect(ofModerator.body.map(({ username }) => username)).toEqual(["vip-not"]);
    expect(ofModerator.headers.get("x-total-count")).toBe("1");
    const unknown = await club.as(moderator).call("GET /users/{id}", { params: { id: "nobody-here" } });
    for (const id of [vip.id, vip.username, vip.username.toUpperCase()]) {
      const answer = await club.as(moderator).call("GET /users/{id}", { params: { id } });
      expect([answer.status, answer.code, answer.message]).toEqual([404, "member.not_found", unknown.message]);
    }
    expect((await club.as(admin).call("GET /users", { query: { q: "vip-" } })).headers.get("x-total-count")).toBe("2");
    // He still sees himself.
    expect((await club.as(vip).call("GET /users/{id}", { params: { id: vip.id } })).status).toBe(200);
  });

  test("a page's size and cursor are checked", async () => {
    for (const query of ["limit=0", "limit=1001", "limit=x", "state=dead", `cursor=${"x".repeat(201)}`]) {
      const answer = await club.as(admin).send("GET", `/api/users?${query}`);
      expect([answer.status, answer.code]).toEqual([400, "request.invalid"]);
      expect(answer.message).toContain(query.split("=")[0]);
    }
    expect((await club.as(admin).send("GET", "/api/users?unknown=1")).status).toBe(200);
  });
});

describe("who sees whom", () => {
  test("a member sees himself and nobody else, and cannot tell who exists", async () => {
    const [anna, boris] = [await club.member(), await club.member()];
    expect((await club.as(anna).call("GET /users/{id}", { params: { id: anna.username } })).body.id).toBe(anna.id);
    for (const id of [boris.id, boris.username, "nobody-here"])
      expect((await club.as(anna).call("GET /users/{id}", { params: { id } })).code).toBe("auth.forbidden");
    expect((await club.as(anna).call("GET /users")).code).toBe("auth.forbidden");
  });

  test("staff who have not passed the second factor see nobody but themselves", async () => {
    const fresh = await club.admin({ elevated: false });
    const member = await club.member();
    const answer = await club.as(fresh).call("GET /users/{id}", { params: { id: member.id } });
    expect(answer.code).toBe("auth.two_factor_required");
    expect((await club.as(fresh).call("GET /users/{id}", { params: { id: fresh.id } })).status).toBe(200);
  });

  test("an answer never holds a password, in any spelling", async () => {
    const answer = await club.as(admin).send("GET", "/api/users");
    expect(JSON.stringify(answer.body)).not.toMatch(/argon2|password|hash|token|secret/i);
  });
});

describe("adding a member", () => {
  test("answers a link with which he sets his password, once", async () => {
    const added = await club.as(admin).call("POST /users", {
      body: { username: "Newcomer", display_name: " Новый ", subscription_end: "2026-12-31", vpn_config_limit: -1 },
    });
    expect(added.status).toBe(201);
    expect(added.body.user).toMatchObject({
      username: "Newcomer",
      displayName: "Новый",
      role: "user",
      vpnConfigLimit: -1,
      // The end of that day in Moscow.
      subscriptionEnd: "2026-12-31T20:59:59.000Z",
    });
    const token = new URL(added.body.link).searchParams.get("token") ?? "";
    const set = (password: string) => club.guest.call("POST /auth/set-password", { body: { token, password } });
    expect((await set("long enough phrase")).body).toEqual({ username: "Newcomer" });
    expect((await set("another phrase")).code).toBe("auth.link_invalid");
    const login = { username: "newcomer", password: "long enough phrase" };
    expect((await club.guest.call("POST /auth/login", { body: login })).status).toBe(200);
  });

  test("staff's passwords are longer", async () => {
    const added = await club.as(admin).call("POST /users", { body: { username: "second-chief", role: "admin" } });
    const token = new URL(added.body.link).searchParams.get("token") ?? "";
    const set = (password: string) => club.guest.call("POST /auth/set-password", { body: { token, password } });
    expect((await set("9-letters")).code).toBe("password.too_short");
    expect((await set("10-letters")).status).toBe(200);
  });

  test("of many who ask for one name in different cases one gets it", async () => {
    const answers = await Promise.all(
      ["Same-Name", "same-name", "SAME-NAME"].map((username) =>
        club.as(admin).call("POST /users", { body: { username } }),
      ),
    );
    expect(answers.map(({ code }) => code ?? "added").sort()).toEqual([
      "added",
      "member.username_taken",
      "member.username_taken",
    ]);
  });

  test.each([
    ["username", { username: "ab" }],
    ["username", { username: "x".repeat(33) }],
    ["username", { username: "с-кириллицей" }],
    ["username", { username: "a b c" }],
    ["username", { username: "abc\n" }],
    ["username", { username: "abc\u0000" }],
    ["username", { username: "../../etc" }],
    ["username", { username: "x".repeat(10_000) }],
    ["username", { username: ["abc"] }],
    ["username", {}],
    ["displayName", { username: "good-name", displayName: "" }],
    ["displayName", { username: "good-name", displayName: "a\nb" }],
    ["displayName", { username: "good-name", displayName: "\u202eevil" }],
    ["displayName", { username: "good-name", display_name: "x".repeat(65) }],
    ["role", { username: "good-name", role: "god" }],
    ["vpnConfigLimit", { username: "good-name", vpn_config_limit: -2 }],
    ["vpnConfigLimit", { username: "good-name", vpnConfigLimit: "3" }],
    ["subscriptionEnd", { username: "good-name", subscription_end: "2026-11-20" }],
    ["subscriptionEnd", { username: "good-name", subscription_end: "2026-02-30" }],
    ["subscriptionEnd", { username: "good-name", subscription_end: 1 }],
    ["passwordHash", { username: "good-name", passwordHash: "x" }],
  ])("refuses a bad %s and adds nobody", async (field, body) => {
    const before = (await club.as(admin).call("GET /users")).headers.get("x-total-count");
    const answer = await club.as(admin).send("POST", "/api/users", body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ error: { details: { field } } });
    expect(answer.message?.length).toBeGreaterThan(10);
    expect((await club.as(admin).call("GET /users")).headers.get("x-total-count")).toBe(before);
  });
});

describe("changing a member", () => {
  test("both spellings are taken, a flag in any of its forms, and the answer has both", async () => {
    const { id, username } = await club.member();
    const forms = [true, 1, "1"] as const;
    for (const form of forms) {
      expect((await put(id, { is_vip: 0 })).body).toMatchObject({ isVip: false, is_vip: 0 });
      expect((await put(username, { isVip: form })).body).toMatchObject({ isVip: true, is_vip: 1 });
    }
    const changed = await put(id, { display_name: "Имя", vpn_config_limit: 7, is_unlimited: "1" });
    expect(changed.body).toMatchObject({
      displayName: "Имя",
      display_name: "Имя",
      vpnConfigLimit: 7,
      vpn_config_limit: 7,
      isUnlimited: true,
      entitlement: { allowed: true, reason: "unlimited" },
    });
  });

  test.each([
    ["passwordHash", { passwordHash: "x" }],
    ["username", { username: "other" }],
    ["isVip", { is_vip: "yes" }],
    ["isActive", { isActive: 2 }],
    ["role", { role: null }],
    ["displayName", { displayName: "   " }],
    ["displayName", { display_name: "a\rb" }],
    ["vpnConfigLimit", { vpnConfigLimit: 1.5 }],
    ["subscriptionEnd", { subscriptionEnd: "yesterday" }],
    ["subscriptionEnd", { subscriptionEnd: "2026-11-20" }],
  ])("refuses a bad %s and changes nothing", async (field, body) => {
    const { id } = await club.member();
    const before = await seen(id);
    const answer = await put(id, { isUnlimited: true, ...body });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ error: { details: { field } } });
    expect(await seen(id)).toEqual(before);
  });

  test("a subscription ends with its day in the club's zone, today at the earliest", async () => {
    const { id } = await club.member();
    expect((await put(id, { subscription_end: "2026-11-21" })).body).toMatchObject({
      subscriptionEnd: "2026-11-21T20:59:59.000Z",
    });
    // 22:30 UTC is the next day in Moscow.
    expect((await put(id, { subscriptionEnd: "2026-11-24T22:30:00Z" })).body).toMatchObject({
      subscription_end: "2026-11-25T20:59:59.000Z",
    });
    expect((await put(id, { subscriptionEnd: null })).body).toMatchObject({
      subscriptionEnd: null,
      entitlement: { reason: "none" },
    });
  });

  test("a form that sends an ended subscription back as it is changes nothing", async () => {
    const end = club.clock.now().getTime() - DAY_MS;
    const { id } = await club.member({ subscriptionEnd: end });
    const answer = await put(id, { displayName: "Новое", subscriptionEnd: new Date(end).toISOString() });
    expect(answer.body).toMatchObject({ displayName: "Новое", subscriptionEnd: new Date(end).toISOString() });
  });

  test("unchecking 'unlimited' without a date clears the date; where it was not checked the date stays", async () => {
    const limited = await club.member();
    const end = (await seen(limited.id)).subscriptionEnd;
    expect((await put(limited.id, { is_unlimited: 0 })).body).toMatchObject({ subscriptionEnd: end });
    const unlimited = await club.member({ row: { is_unlimited: 1 } });
    expect((await put(unlimited.id, { is_unlimited: 0 })).body).toMatchObject({ subscriptionEnd: null });
    const dated = await club.member({ row: { is_unlimited: 1 } });
    expect((await put(dated.id, { is_unlimited: 0, subscription_end: "2026-12-01" })).body).toMatchObject({
      subscriptionEnd: "2026-12-01T20:59:59.000Z",
    });
  });

  test("a block ends his sessions and takes his peers off; unblocking brings the same peers back", async () => {
    const boris = await club.member();
    const [service, dns] = [
      (await club.as(boris).call("GET /services")).body[0]?.id ?? "",
      (await club.as(boris).call("GET /dns")).body[0]?.id ?? "",
    ];
    const made = await club.as(boris).call("POST /vpn/configs", {
      body: { name: "laptop", deviceType: "computer", services: [service], dns },
    });
    expect(made.status).toBe(201);
    const peers = async () => {
      await club.settle();
      return club.host.peers().length;
    };
    const before = await peers();
    await put(boris.id, { is_active: 0, blockConfigs: true });
    expect(await peers()).toBe(before - 1);
    expect((await club.as(boris).call("GET /auth/me")).code).toBe("auth.required");
    const login = { username: boris.username, password: boris.password };
    expect((await club.guest.call("POST /auth/login", { body: login })).code).toBe("member.blocked");
    await put(boris.id, { is_active: 1 });
    expect(await peers()).toBe(before);
    // What was ended stays ended.
    expect((await club.as(boris).call("GET /auth/me")).code).toBe("auth.required");
  });

  test("a new role ends his sessions, and one's own keeps the one it was done in", async () => {
    const boris = await club.member();
    await put(boris.id, { role: "moderator" });
    expect((await club.as(boris).call("GET /auth/me")).code).toBe("auth.required");
    const other = await club.admin();
    await put(other.id, { role: "moderator" }, other);
    expect((await club.as(other).call("GET /auth/me")).body).toMatchObject({ role: "moderator" });
  });

  test("only an admin who passed the second factor changes anyone, even himself", async () => {
    const [moderator, fresh] = [await club.moderator(), await club.admin({ elevated: false })];
    const member = await club.member();
    expect((await put(member.id, { is_unlimited: 1 }, member)).code).toBe("auth.forbidden");
    expect((await put(moderator.id, { role: "admin" }, moderator)).code).toBe("auth.forbidden");
    expect((await put(member.id, { is_vip: 1 }, fresh)).code).toBe("auth.two_factor_required");
    expect(await seen(member.id)).toMatchObject({ isUnlimited: false, isVip: false });
  });

  test("what was done is in the audit with what was before, without anything secret", async () => {
    const { id } = await club.member({ row: { display_name: "Было" } });
    await put(id, { display_name: "Стало" });
    const rows = await club.db
      .withTables<{ audit: { actor_id: string; action: string; target: string; before: string; after: string } }>()
      .selectFrom("audit")
      .selectAll()
      .where("target", "=", id)
      .execute();
    expect(rows).toMatchObject([{ actor_id: admin.id, action: "member.changed" }]);
    expect(JSON.parse(rows[0]?.before ?? "")).toEqual({ display_name: "Было" });
    expect(JSON.parse(rows[0]?.after ?? "")).toEqual({ display_name: "Стало" });
  });
});

describe("deleting a member", () => {
  test("leaves a nameless tombstone, and his name is free again", async () => {
    const gone = await club.member({
      username: "Gone-Girl",
      row: { display_name: "Имя Фамилия", telegram_id: "42", invited_by: admin.id },
    });
    const remove = () => club.as(admin).call("DELETE /users/{id}", { params: { id: gone.username } });
    expect((await remove()).status).toBe(204);
    expect((await remove()).code).toBe("member.not_found");
    expect((await club.as(gone).call("GET /auth/me")).code).toBe("auth.required");
    const row = await club.db
      .withTables<{ members: Record<string, unknown> & { id: string } }>()
      .selectFrom("members")
      .selectAll()
      .where("id", "=", gone.id)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({
      username: "",
      username_key: `deleted:${gone.id}`,
      display_name: "",
      display_name_key: "",
      password_hash: null,
      telegram_id: null,
      invite_code: null,
      invited_by: admin.id,
    });
    expect((await club.as(admin).call("POST /users", { body: { username: "gone-girl" } })).status).toBe(201);
  });

  test("his link to set a password is worth nothing any more", async () => {
    const added = await club.as(admin).call("POST /users", { body: { username: "short-stay" } });
    await club.as(admin).call("DELETE /users/{id}", { params: { id: added.body.user.id } });
    const token = new URL(added.body.link).searchParams.get("token") ?? "";
    const answer = await club.guest.call("POST /auth/set-password", { body: { token, password: "some good phrase" } });
    expect(answer.code).toBe("auth.link_invalid");
  });
});

describe("one's own account", () => {
  const change = (person: Person, body: unknown) => club.as(person).send("POST", "/api/users/change-password", body);

  test("a new password takes the current one, differs from it, and ends the other sessions", async () => {
    const boris = await club.member();
    const credentials = { username: boris.username, password: boris.password };
    const second = await club.guest.call("POST /auth/login", { body: credentials });
    const newPassword = "entirely new phrase";
    expect((await change(boris, { currentPassword: "wrong one", newPassword })).code).toBe("password.wrong_current");
    expect((await change(boris, { currentPassword: boris.password, newPassword: boris.password })).code).toBe(
      "password.same",
    );
    expect((await change(boris, { currentPassword: boris.password, newPassword: "short" })).code).toBe(
      "password.too_short",
    );
    expect((await change(boris, { username: "chief", currentPassword: boris.password, newPassword })).code).toBe(
      "auth.not_yourself",
    );
    const username = boris.username.toUpperCase();
    const done = await change(boris, { username, currentPassword: boris.password, newPassword });
    expect(done.body).toEqual({ success: true });
    expect((await club.as(boris).call("GET /auth/me")).status).toBe(200);
    expect((await club.withToken(second.body.token).call("GET /auth/me")).code).toBe("auth.required");
    expect((await club.guest.call("POST /auth/login", { body: credentials })).code).toBe("auth.wrong_credentials");
  });

  test("guessing the current password has to wait as guessing at the door does", async () => {
    const boris = await club.member();
    const guess = () => change(boris, { currentPassword: "a guess", newPassword: "entirely new phrase" });
    const codes: (string | undefined)[] = [];
    for (let n = 0; n < 8; n++) codes.push((await guess()).code);
    expect(codes).toContain("auth.too_many_attempts");
  });

  test("the rules are accepted once and stay accepted", async () => {
    const anna = await club.member({ row: { accepted_rules_at: null } });
    expect((await club.as(anna).call("GET /auth/me")).body.hasAcceptedRules).toBe(false);
    expect((await club.as(anna).call("POST /users/accept-rules")).body.hasAcceptedRules).toBe(true);
    expect((await club.as(anna).call("GET /auth/me")).body.hasAcceptedRules).toBe(true);
  });
});
