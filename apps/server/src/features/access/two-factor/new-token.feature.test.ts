import { DAY_MS, MINUTE_MS, SECOND_MS } from "@krug/domain/moment";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  codeOf,
  disable,
  enable,
  enabled,
  inAnotherBrowser,
  status,
  verify,
} from "../../../../testing/second-factor.ts";
import { type Club, PASSWORD, type Person, startClub } from "../../../../testing/start-club.ts";

async function aClub(): Promise<Club> {
  const club = await startClub({ localServer: "off" });
  onTestFinished(() => club.stop());
  return club;
}

/** A moderator with 2FA who has signed in, but not entered a code yet. */
async function atTheDoor(club: Club) {
  const vera = await club.moderator();
  const { secret } = await enabled(club, vera);
  return { secret, home: await inAnotherBrowser(club, vera) };
}

const users = async (club: Club, token: string) => (await club.withToken(token).call("GET /users")).code ?? "seen";
const me = async (club: Club, token: string) => (await club.withToken(token).call("GET /auth/me")).code ?? "seen";

describe("passing the second factor", () => {
  test("changes the token; the old one is not elevated, and is void after 30 s", async () => {
    const club = await aClub();
    const { secret, home } = await atTheDoor(club);
    const { token: old } = home;
    club.clock.advance(DAY_MS / 4);
    const answer = await verify(club, home, codeOf(club, secret));
    expect(home.token).not.toBe(old);
    const left = (30 * DAY_MS - DAY_MS / 4) / 1000;
    expect(answer.headers.getSetCookie()).toEqual([
      `krug_session=${home.token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${left}`,
    ]);
    expect([await users(club, home.token), await users(club, old)]).toEqual(["seen", "auth.two_factor_required"]);
    expect(await me(club, old), "what is under way in another tab").toBe("seen");
    const sessions = (await club.as(home).call("GET /auth/sessions")).body;
    expect(sessions.filter(({ current }) => current)).toHaveLength(1);
    expect(sessions, "it is the session it was").toHaveLength(2);
    club.clock.advance(30 * SECOND_MS - 1);
    expect(await me(club, old)).toBe("seen");
    club.clock.advance(1);
    expect([await me(club, old), await me(club, home.token)]).toEqual(["auth.required", "seen"]);
  });

  test("changes it at the set-up too, and when passed again", async () => {
    const club = await aClub();
    const vera = await club.moderator({ elevated: false });
    const tokens = [vera.token];
    const { secret } = await enabled(club, vera);
    tokens.push(vera.token);
    for (let i = 0; i < 2; i++) {
      await verify(club, vera, codeOf(club, secret));
      tokens.push(vera.token);
    }
    expect(new Set(tokens).size).toBe(4);
    expect(await Promise.all(tokens.map((token) => users(club, token)))).toEqual([
      "auth.required",
      "auth.required",
      "auth.two_factor_required",
      "seen",
    ]);
  });

  test("survives a restart of the panel, with the old token", async () => {
    const club = await aClub();
    const { secret, home } = await atTheDoor(club);
    const { token: old } = home;
    await verify(club, home, codeOf(club, secret));
    await club.restart();
    expect([await users(club, home.token), await users(club, old)]).toEqual(["seen", "auth.two_factor_required"]);
    club.clock.advance(30 * SECOND_MS);
    await club.restart();
    expect([await users(club, home.token), await me(club, old)]).toEqual(["seen", "auth.required"]);
  });

  test("is not possible with the old token and the code that counted", async () => {
    const club = await aClub();
    const { secret, home } = await atTheDoor(club);
    const thief = { ...home };
    const code = codeOf(club, secret);
    await verify(club, home, code);
    expect((await verify(club, thief, code)).body).toEqual({ valid: false, retryAfter: 0, token: null });
    expect(await users(club, thief.token)).toBe("auth.two_factor_required");
    expect((await verify(club, home, code)).body.valid, "the elevated session may repeat it").toBe(true);
  });

  test("twice at once with one token leaves one valid token", async () => {
    const club = await aClub();
    const { secret, home } = await atTheDoor(club);
    for (let round = 0; round < 10; round++) {
      const tab = await inAnotherBrowser(club, home);
      const tabs = [tab, { ...tab }, { ...tab }];
      const answers = await Promise.all(tabs.map((one) => verify(club, one, codeOf(club, secret))));
      const tokens = answers.flatMap(({ body }) => body.token ?? []);
      expect(tokens).toHaveLength(1);
      club.clock.advance(30 * SECOND_MS);
      expect([await users(club, tokens[0] ?? ""), await me(club, tab.token)]).toContain("seen");
    }
  });

  test("during a sign-out revives nothing", async () => {
    const club = await aClub();
    const { secret, home } = await atTheDoor(club);
    for (let round = 0; round < 10; round++) {
      const tab = await inAnotherBrowser(club, home);
      const passing = { ...tab };
      const [, left] = await Promise.all([
        verify(club, passing, codeOf(club, secret)),
        club.as(tab).call("POST /auth/logout"),
      ]);
      expect(left.status).toBe(204);
      expect([await me(club, tab.token), await me(club, passing.token)]).toEqual(["auth.required", "auth.required"]);
      club.clock.advance(30 * SECOND_MS);
    }
  });

  test("closes no open page", async () => {
    const club = await aClub();
    const admin = await club.admin();
    const { secret, home } = await atTheDoor(club);
    const response = await fetch(`${club.origin}/api/events`, { headers: { authorization: `Bearer ${home.token}` } });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    await verify(club, home, codeOf(club, secret));
    await club.as(admin).call("PUT /users/{id}", { params: { id: home.id }, body: { displayName: "Вера" } });
    let heard = "";
    while (!heard.includes("account")) heard += (await reader?.read())?.value ?? expect.unreachable();
    await reader?.cancel();
  });
});

describe("ten minutes after the password was given", () => {
  const confirm = (club: Club, who: Person, password: string) =>
    club.as(who).call("POST /auth/confirm-password", { body: { password } });

  test("the secret is shown and two-factor turned on only after the password is given again", async () => {
    const club = await aClub();
    const vera = await club.moderator({ elevated: false });
    club.clock.advance(10 * MINUTE_MS - 1);
    const { secret } = (await status(club, vera)).body;
    club.clock.advance(1);
    expect(await status(club, vera)).toMatchObject({
      status: 403,
      code: "auth.password_required",
      body: { error: {} },
    });
    const late = await enable(club, vera, secret ?? "", codeOf(club, secret ?? ""));
    expect(late.code).toBe("auth.password_required");
    expect((await confirm(club, vera, "not this one")).code).toBe("password.wrong_current");
    expect((await status(club, vera)).code).toBe("auth.password_required");
    expect((await confirm(club, vera, PASSWORD)).status).toBe(204);
    expect((await status(club, vera)).body.secret).toBe(secret);
    expect((await enable(club, vera, secret ?? "", codeOf(club, secret ?? ""))).body.success).toBe(true);
    club.clock.advance(10 * MINUTE_MS);
    expect((await status(club, vera)).body, "how it stands once it is on is no secret").toMatchObject({
      enabled: true,
    });
  });

  test("two-factor is turned off only after the password is given again, with a code or a recovery code", async () => {
    const club = await aClub();
    const vera = await club.moderator();
    const { secret, recoveryCodes } = await enabled(club, vera);
    club.clock.advance(10 * MINUTE_MS);
    for (const code of [codeOf(club, secret), recoveryCodes[0]])
      expect((await disable(club, vera, vera.id, code)).code).toBe("auth.password_required");
    expect((await status(club, vera)).body.recoveryCodesLeft, "and it is not used up").toBe(10);
    await confirm(club, vera, PASSWORD);
    expect((await disable(club, vera, vera.id, recoveryCodes[0])).body).toEqual({ success: true });
  });

  test("a code still opens the administration area", async () => {
    const club = await aClub();
    const { secret, home } = await atTheDoor(club);
    club.clock.advance(60 * MINUTE_MS);
    expect((await verify(club, home, codeOf(club, secret))).body.valid).toBe(true);
  });

  test("a new password counts as given, in this session only", async () => {
    const club = await aClub();
    const vera = await club.moderator({ elevated: false });
    const other = await inAnotherBrowser(club, vera);
    club.clock.advance(10 * MINUTE_MS);
    await confirm(club, other, PASSWORD);
    expect((await status(club, vera)).code, "another session's says nothing of this one").toBe(
      "auth.password_required",
    );
    const body = { currentPassword: PASSWORD, newPassword: "a new password" };
    await club.as(vera).call("POST /users/change-password", { body });
    expect((await status(club, vera)).status).toBe(200);
  });

  test("guesses at it in a stolen session wait as at sign-in", async () => {
    const club = await aClub();
    const vera = await club.moderator({ elevated: false });
    for (let i = 0; i < 5; i++) expect((await confirm(club, vera, `wrong-${i}`)).code).toBe("password.wrong_current");
    expect((await confirm(club, vera, PASSWORD)).code).toBe("auth.too_many_attempts");
    const login = await club.guest.call("POST /auth/login", { body: { username: vera.username, password: PASSWORD } });
    expect(login.code).toBe("auth.too_many_attempts");
  });

  test("a password that is being replaced confirms nothing", async () => {
    const club = await aClub();
    for (let round = 0; round < 6; round++) {
      const vera = await club.moderator({ elevated: false });
      const other = await inAnotherBrowser(club, vera);
      club.clock.advance(10 * MINUTE_MS);
      const body = { currentPassword: PASSWORD, newPassword: "a new password" };
      const [confirmed] = await Promise.all([
        confirm(club, other, PASSWORD),
        club.as(vera).call("POST /users/change-password", { body }),
      ]);
      expect([204, 400, 401]).toContain(confirmed.status);
      expect(await me(club, other.token), "the other session ends").toBe("auth.required");
    }
  });
});
