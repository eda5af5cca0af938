import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";

let club: Club;
let admin: Person;
beforeAll(async () => {
  club = await startClub();
  admin = await club.admin({ username: "chief" });
});
// A member may make sixty creations a minute.
beforeEach(() => club.clock.advance(61_000));
afterAll(() => club.stop());

describe("the list", () => {
  test("is sorted by name, in pages that neither lose nor repeat anyone, each with the total", async () => {
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

  test("is searched by username and display name in any case, and % and _ are literal", async () => {
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

  test("filters active and blocked members", async () => {
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
    // They still see themselves.
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
  test("a member sees only themselves, and cannot tell who exists", async () => {
    const [anna, boris] = [await club.member(), await club.member()];
    expect((await club.as(anna).call("GET /users/{id}", { params: { id: anna.username } })).body.id).toBe(anna.id);
    for (const id of [boris.id, boris.username, "nobody-here"])
      expect((await club.as(anna).call("GET /users/{id}", { params: { id } })).code).toBe("auth.forbidden");
    expect((await club.as(anna).call("GET /users")).code).toBe("auth.forbidden");
  });

  test("staff who have not passed the second factor see only themselves", async () => {
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

describe("a member's own account", () => {
  const change = (person: Person, body: unknown) => club.as(person).send("POST", "/api/users/change-password", body);

  test("a new password needs the current one, differs from it, and ends the other sessions", async () => {
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

  test("guessing the current password is slowed down like guessing at sign-in", async () => {
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
