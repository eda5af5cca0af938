import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { configInput } from "../../../../testing/config-input.ts";
import { tokenInLink } from "../../../../testing/link-token.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";

const DAY_MS = 86_400_000;
let club: Club;
let admin: Person;
beforeAll(async () => {
  club = await startClub();
  admin = await club.admin({ username: "changer" });
});
// A member may make sixty creations a minute.
beforeEach(() => club.clock.advance(61_000));
afterAll(() => club.stop());

const put = (id: string, body: unknown, by = admin) => club.as(by).send("PUT", `/api/users/${id}`, body);
const seen = async (id: string) => (await club.as(admin).call("GET /users/{id}", { params: { id } })).body;

describe("adding a member", () => {
  test("returns a link that sets their password, once", async () => {
    const input = {
      username: "Newcomer",
      display_name: " Новый ",
      subscription_end: "2026-12-31",
      vpn_config_limit: -1,
    };
    const added = await club.as(admin).send("POST", "/api/users", input);
    expect(added.status).toBe(201);
    const { user, link } = added.body as { user: object; link: string };
    expect(user).toMatchObject({
      username: "Newcomer",
      displayName: "Новый",
      role: "user",
      vpnConfigLimit: -1,
      // The end of the given day in Moscow.
      subscriptionEnd: "2026-12-31T23:59:59.000+03:00",
    });
    const token = tokenInLink(link);
    const set = (password: string) => club.guest.call("POST /auth/set-password", { body: { token, password } });
    expect((await set("long enough phrase")).body).toEqual({ username: "Newcomer" });
    expect((await set("another phrase")).code).toBe("auth.link_invalid");
    const login = { username: "newcomer", password: "long enough phrase" };
    expect((await club.guest.call("POST /auth/login", { body: login })).status).toBe(200);
  });

  test("staff need longer passwords", async () => {
    const added = await club.as(admin).call("POST /users", { body: { username: "second-chief", role: "admin" } });
    const token = tokenInLink(added.body.link);
    const set = (password: string) => club.guest.call("POST /auth/set-password", { body: { token, password } });
    expect((await set("9-letters")).code).toBe("password.too_short");
    expect((await set("10-letters")).status).toBe(200);
  });

  test("if many ask for one name in different cases, one gets it", async () => {
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
  test("both spellings and every form of a flag are accepted, and the answer has both spellings", async () => {
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

  test("a subscription ends at the end of a day in the club's time zone, today at the earliest", async () => {
    const { id } = await club.member();
    expect((await put(id, { subscription_end: "2026-11-21" })).body).toMatchObject({
      subscriptionEnd: "2026-11-21T23:59:59.000+03:00",
    });
    // 22:30 UTC is the next day in Moscow.
    expect((await put(id, { subscriptionEnd: "2026-11-24T22:30:00Z" })).body).toMatchObject({
      subscription_end: "2026-11-25T23:59:59.000+03:00",
    });
    expect((await put(id, { subscriptionEnd: null })).body).toMatchObject({
      subscriptionEnd: null,
      entitlement: { reason: "none" },
    });
  });

  test("a form that sends an ended subscription back unchanged changes nothing", async () => {
    const end = club.clock.now().getTime() - DAY_MS;
    const { id } = await club.member({ subscriptionEnd: end });
    const answer = await put(id, { displayName: "Новое", subscriptionEnd: new Date(end).toISOString() });
    const subscriptionEnd = club.app.parts.clubTime.write(end);
    expect(answer.body).toMatchObject({ displayName: "Новое", subscriptionEnd });
  });

  test("unchecking 'unlimited' without a date clears the date; if it was not checked, the date stays", async () => {
    const limited = await club.member();
    const end = (await seen(limited.id)).subscriptionEnd;
    expect((await put(limited.id, { is_unlimited: 0 })).body).toMatchObject({ subscriptionEnd: end });
    const unlimited = await club.member({ row: { is_unlimited: 1 } });
    expect((await put(unlimited.id, { is_unlimited: 0 })).body).toMatchObject({ subscriptionEnd: null });
    const dated = await club.member({ row: { is_unlimited: 1 } });
    expect((await put(dated.id, { is_unlimited: 0, subscription_end: "2026-12-01" })).body).toMatchObject({
      subscriptionEnd: "2026-12-01T23:59:59.000+03:00",
    });
  });

  test("a block ends their sessions and removes their peers; unblocking restores the same peers", async () => {
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
    // The ended session stays ended.
    expect((await club.as(boris).call("GET /auth/me")).code).toBe("auth.required");
  });

  test("a member whose configs are blocked has no peers, whatever they try", async () => {
    const boris = await club.member();
    const peers = async () => {
      await club.settle();
      return club.host.peers().length;
    };
    const before = await peers();
    const make = async (name: string) =>
      club.as(boris).call("POST /vpn/configs", { body: { ...(await configInput(club, boris)), name } });
    const [kept, deleted] = [(await make("kept")).body.id, (await make("deleted")).body.id];
    const on = (id: string) => ({ params: { id } });
    await club.as(boris).call("DELETE /vpn/configs/{id}", on(deleted));
    await put(boris.id, { blockConfigs: true });
    expect((await club.as(boris).call("GET /auth/me")).status, "the member is still signed in").toBe(200);
    expect(await make("new")).toMatchObject({ status: 403, code: "config.blocked" });
    expect((await club.as(boris).call("POST /vpn/configs/{id}/restore", on(deleted))).status).toBe(200);
    expect((await club.as(boris).call("POST /vpn/configs/{id}/key", { ...on(kept), body: {} })).status).toBe(200);
    await club.as(boris).call("DELETE /vpn/configs/{id}", on(kept));
    await club.as(boris).call("DELETE /vpn/configs/{id}", on(deleted));
    expect((await make("new")).code, "also with no configs left").toBe("config.blocked");
    await club.as(boris).call("POST /vpn/configs/{id}/restore", on(kept));
    expect(await peers()).toBe(before);
    await put(boris.id, { subscription_end: null });
    await put(boris.id, { is_unlimited: 1 });
    expect(await peers(), "a renewal lifts nothing").toBe(before);
    await put(boris.id, { blockConfigs: false });
    expect(await peers()).toBe(before + 1);
    expect((await make("new")).status).toBe(201);
  });

  test("if configs are blocked while a new one is created, the block wins", async () => {
    for (let round = 0; round < 8; round++) {
      const boris = await club.member();
      const input = await configInput(club, boris);
      await Promise.all([
        put(boris.id, { blockConfigs: true }),
        club.as(boris).call("POST /vpn/configs", { body: input }),
      ]);
      const rows = (await club.as(boris).call("GET /vpn/configs")).body;
      expect(rows.filter(({ isBlocked }) => !isBlocked)).toEqual([]);
    }
  });

  test("a new role ends a member's sessions; admins who change their own keep the current one", async () => {
    const boris = await club.member();
    await put(boris.id, { role: "moderator" }, await club.admin());
    expect((await club.as(boris).call("GET /auth/me")).code).toBe("auth.required");
    const other = await club.admin();
    await put(other.id, { role: "moderator" }, other);
    expect((await club.as(other).call("GET /auth/me")).body).toMatchObject({ role: "moderator" });
  });

  test("only an admin who passed the second factor changes anyone, even themselves", async () => {
    const [moderator, fresh] = [await club.moderator(), await club.admin({ elevated: false })];
    const member = await club.member();
    expect((await put(member.id, { is_unlimited: 1 }, member)).code).toBe("auth.forbidden");
    expect((await put(moderator.id, { role: "admin" }, moderator)).code).toBe("auth.forbidden");
    expect((await put(member.id, { is_vip: 1 }, fresh)).code).toBe("auth.two_factor_required");
    expect(await seen(member.id)).toMatchObject({ isUnlimited: false, isVip: false });
  });

  test("the audit has each change with the previous values, and no secrets", async () => {
    const { id } = await club.member({ row: { display_name: "Было" } });
    await put(id, { display_name: "Стало" });
    const { history } = (await club.as(admin).call("GET /admin/users/{id}", { params: { id } })).body;
    expect(history).toMatchObject([{ by: { id: admin.id }, action: "member.changed" }]);
    expect(history[0]).toMatchObject({ before: { displayName: "Было" }, after: { displayName: "Стало" } });
  });
});

describe("deleting a member", () => {
  test("leaves a nameless tombstone and frees the name", async () => {
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

  test("their link to set a password no longer works", async () => {
    const added = await club.as(admin).call("POST /users", { body: { username: "short-stay" } });
    await club.as(admin).call("DELETE /users/{id}", { params: { id: added.body.user.id } });
    const token = tokenInLink(added.body.link);
    const answer = await club.guest.call("POST /auth/set-password", { body: { token, password: "some good phrase" } });
    expect(answer.code).toBe("auth.link_invalid");
  });
});
