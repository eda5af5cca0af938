import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { HOUR_MS } from "@krug/domain/moment";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { tokenInLink } from "../../../../testing/link-token.ts";
import { type Club, PASSWORD, startClub } from "../../../../testing/start-club.ts";

async function aClub(environment: Record<string, string> = {}): Promise<Club> {
  const club = await startClub({ localServer: "off", environment });
  onTestFinished(() => club.stop());
  return club;
}

const GOOD = "ten letters or more";

const setup = (club: Club, token: string, username = "founder", password = GOOD) =>
  club.guest.call("POST /auth/setup", { body: { token, username, password } });

test("the first start's link makes the first admin, once", async () => {
  const club = await aClub();
  expect(club.firstStart?.startsWith(`${club.origin}/setup#token=`)).toBe(true);
  const token = tokenInLink(club.firstStart);
  const answer = await setup(club, token);
  expect(answer.status).toBe(201);
  expect(answer.body.user).toMatchObject({
    username: "founder",
    role: "admin",
    isUnlimited: true,
    vpnConfigLimit: -1,
    hasAcceptedRules: false,
  });
  expect(answer.headers.get("set-cookie")).toContain(answer.body.token);
  expect((await club.withToken(answer.body.token).call("GET /auth/me")).status).toBe(200);
  expect(await setup(club, token, "another")).toMatchObject({ status: 400, code: "auth.link_invalid" });
});

test("if two use the set-up link at once, one becomes admin", async () => {
  const club = await aClub();
  const token = tokenInLink(club.firstStart);
  const answers = await Promise.all(["one-admin", "two-admin"].map((name) => setup(club, token, name)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 400]);
});

test("a refused name or password does not use up the set-up link", async () => {
  const club = await aClub();
  const token = tokenInLink(club.firstStart);
  expect((await setup(club, "x".repeat(43))).code).toBe("auth.link_invalid");
  for (const name of ["ab", "a b c", "boris\n", "бо-рис", "x".repeat(33), "<script>"])
    expect(await setup(club, token, name), name).toMatchObject({ status: 400, code: "member.username_invalid" });
  expect((await setup(club, token, "founder", "123456789")).code).toBe("password.too_short");
  expect((await setup(club, token, "founder", "1234567890")).code).toBe("password.common");
  expect((await setup(club, token, "founder", "x".repeat(129))).code).toBe("password.too_long");
  expect((await setup(club, token)).status).toBe(201);
});

test("another start on a still empty database voids the earlier link; with members there is no link", async () => {
  const club = await aClub();
  const first = tokenInLink(club.firstStart);
  await club.restart();
  const second = tokenInLink(club.firstStart);
  expect(second).not.toBe(first);
  expect((await setup(club, first)).code).toBe("auth.link_invalid");
  expect((await setup(club, second)).status).toBe(201);
  await club.restart();
  expect(club.firstStart).toBeNull();
});

test("a club that ever had members offers no link again, neither after they were deleted nor on another database", async () => {
  const club = await aClub();
  expect((await setup(club, tokenInLink(club.firstStart))).status).toBe(201);
  // By hand, as no call of the panel can do this.
  for (const table of ["sessions", "member_use", "members"])
    await sql`delete from ${sql.table(table)}`.execute(club.db);
  const noted = join(club.config.dataDir, "had-members");
  expect(existsSync(noted)).toBe(true);
  await expect(club.restart()).rejects.toThrow(/holds no members, but .* krug create-admin NAME/);
  rmSync(noted);
  await expect(club.restart()).rejects.toThrow(/holds no members, but .* krug create-admin NAME/);

  const other = await aClub();
  writeFileSync(join(other.config.dataDir, "had-members"), "");
  await expect(other.restart()).rejects.toThrow(/holds no members.*To begin a new club, start with an empty DATA_DIR/);
});

test("an older installation records at its next start that it has members", async () => {
  const club = await aClub();
  await club.member();
  const noted = join(club.config.dataDir, "had-members");
  expect(existsSync(noted)).toBe(false);
  await club.restart();
  expect(existsSync(noted)).toBe(true);
});

test("the set-up link is void once there is a member", async () => {
  const [joined, made] = [await aClub(), await aClub()];
  await joined.member();
  await made.app.parts.auth.createAdmin({ username: "operator", password: GOOD });
  for (const club of [joined, made])
    expect((await setup(club, tokenInLink(club.firstStart))).code).toBe("auth.link_invalid");
});

test("the environment can name the first admin instead, on an empty database only", async () => {
  const club = await aClub({ ADMIN_USERNAME: "founder", ADMIN_PASSWORD: GOOD });
  expect(club.firstStart).toBeNull();
  const login = () => club.guest.call("POST /auth/login", { body: { username: "founder", password: GOOD } });
  expect((await login()).body.user).toMatchObject({ role: "admin", isUnlimited: true, vpnConfigLimit: -1 });
  await club.restart();
  expect((await login()).status).toBe(200);
});

test("a weak password for the first admin stops the start", async () => {
  await expect(startClub({ environment: { ADMIN_USERNAME: "founder", ADMIN_PASSWORD: "qwerty" } })).rejects.toThrow(
    "password.too_short",
  );
});

async function passwordLink(club: Club, id: string, admin?: Awaited<ReturnType<Club["admin"]>>) {
  const answer = await club
    .as(admin ?? (await club.admin()))
    .call("POST /users/{id}/password-link", { params: { id } });
  return answer.body;
}

const setPassword = (club: Club, token: string, password: string) =>
  club.guest.call("POST /auth/set-password", { body: { token, password } });

test("a password link sets a password once and ends all sessions of the account", async () => {
  const club = await aClub();
  const boris = await club.member({ username: "boris" });
  const { link, expiresAt } = await passwordLink(club, boris.id);
  expect(link.startsWith(`${club.origin}/password#user=boris&token=`)).toBe(true);
  expect(Date.parse(expiresAt) - club.clock.now().getTime()).toBe(24 * HOUR_MS);
  const token = tokenInLink(link);
  expect((await setPassword(club, token, "12345")).code, "a refused password leaves the link").toBe(
    "password.too_short",
  );
  expect((await setPassword(club, token, "a new one")).body).toEqual({ username: "boris" });
  expect((await club.as(boris).call("GET /auth/me")).code).toBe("auth.required");
  expect((await setPassword(club, token, "another one")).code).toBe("auth.link_invalid");
  const login = (password: string) => club.guest.call("POST /auth/login", { body: { username: "boris", password } });
  expect((await login("a new one")).status).toBe(200);
  expect((await login(PASSWORD)).code).toBe("auth.wrong_credentials");
});

test("guesses at the old password do not make the owner of the new one wait", async () => {
  const club = await aClub({ TRUSTED_PROXIES: "127.0.0.1" });
  const boris = await club.member();
  const token = tokenInLink((await passwordLink(club, boris.id)).link);
  const login = (password: string, address: string) =>
    club.guest.call("POST /auth/login", {
      body: { username: boris.username, password },
      headers: { "x-forwarded-for": address },
    });
  for (let i = 0; i < 5; i++) await login("a guess", "203.0.113.66");
  expect((await login(PASSWORD, "198.51.100.7")).code).toBe("auth.too_many_attempts");
  await setPassword(club, token, "a new one");
  expect((await login("a new one", "198.51.100.7")).status).toBe(200);
});

test("if two use one password link at once, one sets the password", async () => {
  const club = await aClub();
  const boris = await club.member();
  const token = tokenInLink((await passwordLink(club, boris.id)).link);
  const answers = await Promise.all(["the left one", "the right one"].map((one) => setPassword(club, token, one)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
});

test("a password link ends after 24 hours, when used, and with the member", async () => {
  const club = await aClub();
  const admin = await club.admin();
  const [boris, anna] = [await club.member(), await club.member()];
  const late = tokenInLink((await passwordLink(club, boris.id, admin)).link);
  const second = tokenInLink((await passwordLink(club, anna.id, admin)).link);
  const third = tokenInLink((await passwordLink(club, anna.id, admin)).link);
  expect((await setPassword(club, second, "a new one")).status).toBe(200);
  expect((await setPassword(club, third, "a newer one")).code, "the other links too").toBe("auth.link_invalid");
  const orphan = tokenInLink((await passwordLink(club, anna.id, admin)).link);
  expect((await club.as(admin).call("DELETE /users/{id}", { params: { id: anna.id } })).status).toBe(204);
  expect((await setPassword(club, orphan, "a new one")).code).toBe("auth.link_invalid");
  club.clock.advance(24 * HOUR_MS);
  expect((await setPassword(club, late, "a new one")).code).toBe("auth.link_invalid");
});

test("a moderator's link for a member does not open the account once the member is an admin", async () => {
  const club = await aClub();
  const [admin, moderator] = [await club.admin(), await club.moderator()];
  await club.as(admin).call("PUT /admin/settings", { body: { moderatorMayPasswordLinks: true } });
  const boris = await club.member();
  const token = tokenInLink((await passwordLink(club, boris.id, moderator)).link);
  await club.as(admin).call("PUT /users/{id}", { params: { id: boris.id }, body: { displayName: "Boris" } });
  await club.as(admin).call("PUT /users/{id}", { params: { id: boris.id }, body: { role: "admin" } });
  expect((await setPassword(club, token, "a fairly long one")).code).toBe("auth.link_invalid");
  const another = tokenInLink((await passwordLink(club, boris.id, admin)).link);
  expect((await setPassword(club, another, "a fairly long one")).status).toBe(200);
});

test("nor does a link made or used at the moment of the promotion", async () => {
  const club = await aClub();
  const [admin, moderator] = [await club.admin(), await club.moderator()];
  await club.as(admin).call("PUT /admin/settings", { body: { moderatorMayPasswordLinks: true } });
  const promote = (id: string) => club.as(admin).call("PUT /users/{id}", { params: { id }, body: { role: "admin" } });
  const askLink = (id: string) => club.as(moderator).call("POST /users/{id}/password-link", { params: { id } });
  for (let round = 0; round < 24; round++) {
    const boris = await club.member();
    const ms = (round % 8) / 2;
    const [made] = await Promise.all([askLink(boris.id), wait(ms).then(() => promote(boris.id))]);
    const late = await setPassword(club, tokenInLink(made.body.link), "a fairly long one");
    expect(late.status, `made ${ms} ms before he is an admin`).toBe(400);
  }
  for (let round = 0; round < 12; round++) {
    const boris = await club.member();
    const token = tokenInLink((await askLink(boris.id)).body.link);
    const [used, promoted] = await Promise.all([
      setPassword(club, token, "a fairly long one"),
      // Hashing the password takes about 20 ms.
      wait(round * 3).then(() => promote(boris.id)),
    ]);
    expect(promoted.status).toBe(200);
    // Either it set a member's password and the role came later, or the link was void.
    expect([200, 400]).toContain(used.status);
    expect((await setPassword(club, token, "another long one")).code).toBe("auth.link_invalid");
  }
});

test("staff's passwords must be longer, also when set by link", async () => {
  const club = await aClub();
  const vera = await club.moderator();
  const token = tokenInLink((await passwordLink(club, vera.id)).link);
  const short = await setPassword(club, token, "nine-char");
  expect(short).toMatchObject({ status: 400, code: "password.too_short" });
  expect(short.message).toContain("10");
});

test("no link's token is in the database", async () => {
  const club = await aClub();
  const setupToken = tokenInLink(club.firstStart);
  const links = async () =>
    JSON.stringify(
      await club.db
        .selectFrom("one_time_links" as never)
        .selectAll()
        .execute(),
    );
  expect(await links()).not.toContain(setupToken);
  const boris = await club.member();
  const token = tokenInLink((await passwordLink(club, boris.id)).link);
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(await links()).not.toContain(token);
});

test("the command line resets a password and ends the sessions", async () => {
  const club = await aClub();
  const admin = await club.admin({ username: "founder" });
  const { auth } = club.app.parts;
  await expect(auth.resetPassword("founder", "short")).rejects.toThrow("password.too_short");
  await expect(auth.resetPassword("nobody", GOOD)).rejects.toThrow("member.not_found");
  await auth.resetPassword("FOUNDER", GOOD);
  expect((await club.as(admin).call("GET /auth/me")).code).toBe("auth.required");
  const login = await club.guest.call("POST /auth/login", { body: { username: "founder", password: GOOD } });
  expect(login.status).toBe(200);
});

test("a password link leads to the club's public address, whichever host made it", async () => {
  const club = await aClub({ PUBLIC_URL: "http://club.example" });
  const { id } = await club.member();
  const { body } = await club.as(await club.admin()).call("POST /users/{id}/password-link", { params: { id } });
  expect(new URL(body.link).origin).toBe("http://club.example");
});
