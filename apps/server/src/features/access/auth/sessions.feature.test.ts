import { createHash } from "node:crypto";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@krug/domain/moment";
import { expect, onTestFinished, test } from "vitest";
import { type Club, PASSWORD, type Person, startClub } from "../../../../testing/start-club.ts";

async function aClub(): Promise<Club> {
  const club = await startClub({ localServer: "off" });
  onTestFinished(() => club.stop());
  return club;
}

const signIn = async (club: Club, person: Person, userAgent = "curl/8") => {
  const { username, password } = person;
  const answer = await club.guest.call("POST /auth/login", {
    body: { username, password },
    headers: { "user-agent": userAgent },
  });
  return { token: answer.body.token, cookie: answer.headers.getSetCookie()[0] ?? "" };
};

const isIn = async (club: Club, token: string, headers: Record<string, string> = {}) =>
  (await club.withToken(token).call("GET /auth/me", { headers })).status === 200;

const POLLING = { "x-background": "1" };

/** Every row of every table, as text. */
const everythingStored = async (club: Club) => JSON.stringify([...(await club.allRows())]);

test("a session token is nowhere in the database, only its SHA-256", async () => {
  const club = await aClub();
  const { token } = await signIn(club, await club.member());
  expect(token, "256 random bits").toMatch(/^[\w-]{43}$/);
  const stored = await everythingStored(club);
  expect(stored).not.toContain(token);
  expect(stored).toContain(createHash("sha256").update(token).digest("base64url"));
});

test("a browser gets the session as a cookie that scripts and foreign pages cannot use", async () => {
  const club = await aClub();
  const { token, cookie } = await signIn(club, await club.member());
  expect(cookie).toBe(`krug_session=${token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${(180 * DAY_MS) / 1000}`);
  const me = await club.guest.call("GET /auth/me", { headers: { cookie: `krug_session=${token}` } });
  expect(me.status).toBe(200);
});

test("changing requests with a cookie from a foreign page are refused", async () => {
  const club = await aClub();
  const { token } = await signIn(club, await club.member());
  const cookie = `krug_session=${token}`;
  const logout = (headers: Record<string, string>) => club.guest.call("POST /auth/logout", { headers });
  const foreign: Record<string, string>[] = [
    { cookie, origin: "https://evil.example" },
    { cookie, origin: "null" },
    { cookie, "sec-fetch-site": "cross-site" },
    { cookie, "sec-fetch-site": "same-site" },
    { cookie },
  ];
  for (const headers of foreign)
    expect(await logout(headers), JSON.stringify(headers)).toMatchObject({ code: "request.foreign_origin" });
  expect(await isIn(club, token)).toBe(true);
  expect((await logout({ cookie, origin: club.origin })).status).toBe(204);
  expect(await isIn(club, token)).toBe(false);
});

test("a session ends 30 days after its last use", async () => {
  const club = await aClub();
  const { token } = await signIn(club, await club.member());
  club.clock.advance(29 * DAY_MS);
  expect(await isIn(club, token)).toBe(true);
  club.clock.advance(30 * DAY_MS - 1);
  expect(await isIn(club, token)).toBe(true);
  club.clock.advance(30 * DAY_MS);
  expect(await isIn(club, token)).toBe(false);
});

test("a session ends after 180 days however much it is used", async () => {
  const club = await aClub();
  const { token } = await signIn(club, await club.member());
  for (let day = 10; day < 180; day += 10) {
    club.clock.advance(10 * DAY_MS);
    expect(await isIn(club, token), `day ${day}`).toBe(true);
  }
  club.clock.advance(10 * DAY_MS - 1);
  expect(await isIn(club, token)).toBe(true);
  club.clock.advance(1);
  expect(await isIn(club, token)).toBe(false);
});

test("a staff session ends after 12 hours without use", async () => {
  const club = await aClub();
  const { token } = await signIn(club, await club.moderator());
  club.clock.advance(12 * HOUR_MS - 1);
  expect(await isIn(club, token)).toBe(true);
  club.clock.advance(12 * HOUR_MS);
  expect(await isIn(club, token)).toBe(false);
});

test("polling does not keep a session alive", async () => {
  const club = await aClub();
  const { token } = await signIn(club, await club.member());
  club.clock.advance(29 * DAY_MS);
  expect(await isIn(club, token, POLLING)).toBe(true);
  club.clock.advance(DAY_MS);
  expect(await isIn(club, token)).toBe(false);
});

test("another read within five minutes writes nothing", async () => {
  const club = await aClub();
  const { token } = await signIn(club, await club.member());
  const before = await everythingStored(club);
  club.clock.advance(5 * MINUTE_MS);
  expect(await isIn(club, token)).toBe(true);
  expect(await everythingStored(club)).toBe(before);
  club.clock.advance(1);
  expect(await isIn(club, token)).toBe(true);
  expect(await everythingStored(club)).not.toBe(before);
});

test("polling does not keep an elevation alive", async () => {
  const club = await aClub();
  const vera = await club.moderator();
  const list = (headers: Record<string, string> = {}) => club.as(vera).call("GET /users", { headers });
  for (let minute = 0; minute < 30; minute += 5) {
    expect((await list(POLLING)).status, `minute ${minute}`).toBe(200);
    club.clock.advance(5 * MINUTE_MS);
  }
  expect((await list()).code).toBe("auth.two_factor_required");
});

test("an elevation ends 30 minutes after a person's last call, and after at most 12 hours", async () => {
  const club = await aClub();
  const vera = await club.moderator();
  const list = () => club.as(vera).call("GET /users");
  for (let minute = 0; minute < 12 * 60; minute += 29) {
    expect((await list()).status, `minute ${minute}`).toBe(200);
    club.clock.advance(29 * MINUTE_MS);
  }
  expect((await list()).code).toBe("auth.two_factor_required");
  expect(await isIn(club, vera.token), "the session itself continues").toBe(true);
});

test("signing out ends this session only, and removes the cookie", async () => {
  const club = await aClub();
  const boris = await club.member();
  const { token } = await signIn(club, boris);
  const answer = await club.withToken(token).call("POST /auth/logout");
  expect(answer.status).toBe(204);
  expect(answer.headers.get("set-cookie")).toContain("Max-Age=0");
  expect(await isIn(club, token)).toBe(false);
  expect(await isIn(club, boris.token)).toBe(true);
  expect((await club.guest.call("POST /auth/logout")).status, "without a session it does nothing").toBe(204);
});

test("members see their own sessions and end one of them, and nobody else's", async () => {
  const club = await aClub();
  const [boris, anna] = [await club.member(), await club.member()];
  club.clock.advance(1_000);
  const phone = await signIn(club, boris, "Mozilla/5.0 (Linux; Android 15) Chrome/143.0 Mobile Safari/537.36");
  const sessions = (await club.withToken(phone.token).call("GET /auth/sessions")).body;
  expect(sessions.map(({ current, device }) => ({ current, device }))).toEqual([
    { current: true, device: "Chrome, Android" },
    { current: false, device: "Test" },
  ]);
  const id = sessions[0]?.id ?? "";
  const end = (who: Person) => club.as(who).call("DELETE /auth/sessions/{id}", { params: { id } });
  expect(await end(anna)).toMatchObject({ status: 404, code: "session.not_found" });
  expect(await isIn(club, phone.token)).toBe(true);
  expect((await end(boris)).status).toBe(204);
  expect(await isIn(club, phone.token)).toBe(false);
  expect((await end(boris)).code).toBe("session.not_found");
});

test("all other sessions end at once; the current one and other members' stay", async () => {
  const club = await aClub();
  const [boris, anna] = [await club.member(), await club.member()];
  const others = [await signIn(club, boris), await signIn(club, boris)];
  expect((await club.as(boris).call("DELETE /auth/sessions")).status).toBe(204);
  for (const { token } of others) expect(await isIn(club, token)).toBe(false);
  expect(await isIn(club, boris.token)).toBe(true);
  expect(await isIn(club, anna.token)).toBe(true);
  expect((await club.as(boris).call("GET /auth/sessions")).body).toMatchObject([{ current: true }]);
});

test("a new password ends all sessions but the one it was set in", async () => {
  const club = await aClub();
  const boris = await club.member();
  const other = await signIn(club, boris);
  const change = (currentPassword: string, newPassword: string) =>
    club.as(boris).call("POST /users/change-password", { body: { currentPassword, newPassword } });
  expect((await change("not this one", "a new password")).code).toBe("password.wrong_current");
  expect((await change(PASSWORD, PASSWORD)).code).toBe("password.same");
  expect((await change(PASSWORD, "short")).code).toBe("password.too_short");
  expect((await change(PASSWORD, "qwertyuiop")).code).toBe("password.common");
  expect(await isIn(club, other.token), "nothing changed yet").toBe(true);
  expect((await change(PASSWORD, "a new password")).body).toEqual({ success: true });
  expect(await isIn(club, boris.token)).toBe(true);
  expect(await isIn(club, other.token)).toBe(false);
  const login = (password: string) =>
    club.guest.call("POST /auth/login", { body: { username: boris.username, password } });
  expect((await login(PASSWORD)).code).toBe("auth.wrong_credentials");
  expect((await login("a new password")).status).toBe(200);
});

test("guessing the current password in a stolen session waits like guessing at sign-in", async () => {
  const club = await aClub();
  const boris = await club.member();
  const guess = (currentPassword: string) =>
    club.as(boris).call("POST /users/change-password", { body: { currentPassword, newPassword: "a new password" } });
  for (let i = 0; i < 5; i++) expect((await guess(`wrong-${i}`)).code).toBe("password.wrong_current");
  expect((await guess(PASSWORD)).code).toBe("auth.too_many_attempts");
});

test("ended sessions are deleted, live ones stay", async () => {
  const club = await aClub();
  const [boris, vera] = [await club.member(), await club.moderator()];
  club.clock.advance(13 * HOUR_MS);
  await club.app.parts.auth.forgetOld();
  const left = await club.db
    .selectFrom("sessions" as never)
    .select("member_id" as never)
    .execute();
  expect(left).toEqual([{ member_id: boris.id }]);
  expect(await isIn(club, vera.token)).toBe(false);
});

test.each(["", "x", "a".repeat(43), "../../etc/passwd", "%00", "' or 1=1 --"])(
  "the made-up token '%s' opens no session",
  async (token) => {
    const club = await aClub();
    const answers = [
      await club.guest.call("GET /auth/me", { headers: { authorization: `Bearer ${token}` } }),
      await club.guest.call("GET /auth/me", { headers: { cookie: `krug_session=${encodeURIComponent(token)}` } }),
    ];
    for (const answer of answers) expect(answer).toMatchObject({ status: 401, code: "auth.required" });
  },
);

test("a member who signs in again and again keeps the 100 latest sessions", async () => {
  const club = await aClub();
  const boris = await club.member();
  const { auth, members } = club.app.parts;
  const tokens: string[] = [];
  for (let i = 0; i < 104; i++) {
    club.clock.advance(1_000);
    tokens.push(
      await club.transact(async (tx) => {
        const row = (await members.find(tx, boris.id)) ?? expect.unreachable();
        return (await auth.openSession(tx, row, "Test")).token;
      }),
    );
  }
  const latest = club.withToken(tokens.at(-1) ?? "");
  expect((await latest.call("GET /auth/sessions")).body).toHaveLength(100);
  expect((await club.withToken(tokens[3] ?? "").call("GET /auth/me")).status).toBe(401);
  expect((await club.withToken(tokens[4] ?? "").call("GET /auth/me")).status).toBe(200);
});
