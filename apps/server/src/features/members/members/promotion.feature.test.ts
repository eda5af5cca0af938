import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { auditOf } from "../../../../testing/audit-of.ts";
import { tokenInLink } from "../../../../testing/link-token.ts";
import { type Club, PASSWORD, type Person, startClub } from "../../../../testing/start-club.ts";

/* Staff need passwords of at least 10 characters, also members who become staff (decisions, section 2). */
const SHORT = "kitten";

let club: Club;
let admin: Person;
let vera: Person;
beforeEach(async () => {
  club = await startClub();
  admin = await club.admin();
  vera = await club.member({ username: "vera", password: SHORT });
  await club.as(admin).call("POST /auth/confirm-password", { body: { password: PASSWORD } });
});
afterEach(() => club.stop());

const promote = async (role: "user" | "moderator" | "admin" = "moderator", who = vera) =>
  club.as(admin).call("PUT /users/{id}", { params: { id: who.id }, body: { role } });
const signIn = async (password: string, username = vera.username) => {
  const { status, body } = await club.guest.call("POST /auth/login", { body: { username, password } });
  return { status, token: (body as unknown as { token: string }).token };
};
const meOf = async (token: string) => (await club.withToken(token).call("GET /auth/me")).body;
const roleOf = async (token: string) => {
  const { role, pendingRole } = await meOf(token);
  return [role, pendingRole];
};
const isStaff = async (password: string) =>
  (await club.guest.call("POST /auth/check-role", { body: { username: "vera", password } })).body.isAdminOrModerator;
/** Any member may change their own password. */
const change = (token: string, currentPassword: string, newPassword: string) =>
  club.withToken(token).call("POST /users/change-password", { body: { currentPassword, newPassword } });

describe("a member with a short password who is made a moderator", () => {
  test("has no moderator's rights before setting a longer password, neither in an old session nor in a new one", async () => {
    expect((await promote()).body).toMatchObject({ role: "user", pendingRole: "moderator" });
    for (const token of [vera.token, (await signIn(SHORT)).token]) {
      expect(await roleOf(token)).toEqual(["user", "moderator"]);
      expect((await club.withToken(token).call("GET /users")).code).toBe("auth.forbidden");
      expect((await club.withToken(token).call("GET /admin/audit")).code).toBe("auth.forbidden");
    }
    expect(await isStaff(SHORT)).toBe(false);
    expect((await club.app.parts.members.activeStaff(club.db)).map(({ id }) => id)).toEqual([admin.id]);
  });

  test("is asked for a password long enough for staff, and then becomes a moderator", async () => {
    await promote();
    const { token } = await signIn(SHORT);
    expect((await change(token, SHORT, "kittens")).body).toMatchObject({
      error: { code: "password.too_short", details: { min: 10 } },
    });
    expect((await change(token, SHORT, "kittens and cats")).status).toBe(200);
    expect(await roleOf(token)).toEqual(["moderator", null]);
    // The other session ended with the old password.
    expect((await club.as(vera).call("GET /auth/me")).status).toBe(401);
    expect(await isStaff("kittens and cats")).toBe(true);
    expect((await auditOf(club, vera.id)).map(({ actorId, after }) => [actorId, after])).toEqual(
      expect.arrayContaining([
        [admin.id, { pending_role: "moderator" }],
        [null, { role: "moderator", pending_role: null }],
      ]),
    );
  });

  test("meanwhile gets no link from a moderator or the bot, and a link from an admin asks for a long password", async () => {
    await club
      .as(admin)
      .call("PUT /admin/settings", { body: { moderatorsMay: ["members.send_password_link"] } as never });
    const moderator = await club.moderator();
    const link = (by: Person) => club.as(by).call("POST /users/{id}/password-link", { params: { id: vera.id } });
    const before = (await link(admin)).body.link;
    await promote("admin");
    expect((await link(moderator)).code).toBe("auth.forbidden");
    const set = (link: string, password: string) =>
      club.guest.call("POST /auth/set-password", {
        body: { token: tokenInLink(link), password },
      });
    expect((await set(before, "kittens and cats")).code).toBe("auth.link_invalid");
    const { link: fresh } = (await link(admin)).body;
    expect((await set(fresh, SHORT)).code).toBe("password.too_short");
    expect((await set(fresh, "kittens and cats")).status).toBeLessThan(300);
    expect(await roleOf((await signIn("kittens and cats")).token)).toEqual(["admin", null]);
  });

  test("stays a member if the admin takes it back", async () => {
    await promote();
    expect((await promote("user")).body).toMatchObject({ role: "user", pendingRole: null });
    const { token } = await signIn(SHORT);
    expect((await change(token, SHORT, "kittens and cats")).status).toBe(200);
    expect(await roleOf(token)).toEqual(["user", null]);
  });
});

test("an old password that is long enough counts at the next sign-in, which ends the old sessions", async () => {
  const olga = await club.member({ username: "olga", row: { staff_password: 0 } });
  expect((await promote("moderator", olga)).body).toMatchObject({ role: "user", pendingRole: "moderator" });
  const { token } = await signIn(PASSWORD, "olga");
  expect(await roleOf(token)).toEqual(["moderator", null]);
  expect((await club.as(olga).call("GET /auth/me")).status).toBe(401);
});

test("a member who already chose a long password becomes staff at once", async () => {
  expect((await change(vera.token, SHORT, "kittens and cats")).status).toBe(200);
  expect((await promote()).body).toMatchObject({ role: "moderator", pendingRole: null });
});

test("staff promoted earlier with a short password are asked for a longer one as well", async () => {
  await club.moderator({ username: "old", password: SHORT });
  const { token } = await signIn(SHORT, "old");
  expect(await roleOf(token)).toEqual(["user", "moderator"]);
  expect((await change(token, SHORT, "kittens and cats")).status).toBe(200);
  expect(await roleOf(token)).toEqual(["moderator", null]);
});
