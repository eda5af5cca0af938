import { setTimeout as wait } from "node:timers/promises";
import { HOUR_MS, MINUTE_MS } from "@krug/domain/moment";
import { describe, expect, onTestFinished, test } from "vitest";
import { tokenInLink } from "../../../../testing/link-token.ts";
import { type Club, PASSWORD, type Person, startClub } from "../../../../testing/start-club.ts";
import { type PasswordCost, SAFE_COST } from "./password-hash.ts";
import { attemptsOf, deleteAttempts, lockAttempts } from "./repository.ts";

async function aClub(environment: Record<string, string> = {}, passwordCost?: PasswordCost): Promise<Club> {
  const club = await startClub({ localServer: "off", environment, ...(passwordCost ? { passwordCost } : {}) });
  onTestFinished(() => club.stop());
  return club;
}

const login = (club: Club, username: string, password: string, headers?: Record<string, string>) =>
  club.guest.call("POST /auth/login", { body: { username, password }, ...(headers ? { headers } : {}) });

const guess = async (club: Club, times: number, username: string, headers?: Record<string, string>) => {
  const codes: (string | undefined)[] = [];
  for (let i = 0; i < times; i++) codes.push((await login(club, username, `wrong-${i}`, headers)).code);
  return codes;
};

test("the right password signs in, whatever the case of the name", async () => {
  const club = await aClub();
  const boris = await club.member({ username: "Boris-1" });
  const answer = await login(club, "bORIS-1", PASSWORD);
  expect(answer.status).toBe(200);
  expect(answer.body.user).toMatchObject({ id: boris.id, username: "Boris-1", inviteCode: null });
  expect(JSON.stringify(answer.body)).not.toMatch(/argon2|passwordHash/);
  const me = await club.withToken(answer.body.token).call("GET /auth/me");
  expect(me.body.id).toBe(boris.id);
});

test("an unknown name and a wrong password get the same answer", async () => {
  const club = await aClub();
  await club.member({ username: "boris" });
  await club.member({ username: "linked", row: { password_hash: null } });
  const [wrong, unknown, unset] = [
    await login(club, "boris", "not this one"),
    await login(club, "nobody", "not this one"),
    await login(club, "linked", "not this one"),
  ];
  expect(wrong).toMatchObject({ status: 401, code: "auth.wrong_credentials" });
  for (const other of [unknown, unset]) expect(other.body).toEqual(wrong.body);
});

test("an unknown name costs the panel as much time as a wrong password", async () => {
  const club = await aClub({}, SAFE_COST);
  await club.member({ username: "boris" });
  await club.member({ username: "linked", row: { password_hash: null } });
  const spent = { boris: Infinity, nobody: Infinity, linked: Infinity };
  for (let round = 0; round < 8; round++)
    for (const username of ["boris", "nobody", "linked"] as const) {
      club.clock.advance(HOUR_MS);
      // The least processor time: neither other work on the machine nor a garbage collection decides.
      const before = process.cpuUsage();
      await login(club, username, "not this one");
      const { user, system } = process.cpuUsage(before);
      spent[username] = Math.min(spent[username], user + system);
    }
  for (const username of ["nobody", "linked"] as const) {
    expect(spent[username] / spent.boris, username).toBeGreaterThan(0.6);
    expect(spent[username] / spent.boris, username).toBeLessThan(1.6);
  }
});

test("the fifth wrong password makes the account wait, longer each time, and the right one waits too", async () => {
  const club = await aClub();
  await club.member({ username: "boris" });
  expect(await guess(club, 5, "boris")).toEqual(Array(5).fill("auth.wrong_credentials"));
  const early = await login(club, "BORIS", PASSWORD);
  expect(early).toMatchObject({ status: 429, code: "auth.too_many_attempts" });
  expect(early.headers.get("retry-after")).toBe("1");
  club.clock.advance(1_000);
  expect(await guess(club, 2, "boris")).toEqual(["auth.wrong_credentials", "auth.too_many_attempts"]);
  club.clock.advance(1_999);
  expect((await login(club, "boris", PASSWORD)).code).toBe("auth.too_many_attempts");
  club.clock.advance(1);
  expect((await login(club, "boris", PASSWORD)).status).toBe(200);
  expect(await guess(club, 4, "boris"), "a right password starts the count afresh").not.toContain(
    "auth.too_many_attempts",
  );
});

test("guesses sent all at once get no more verdicts than guesses sent one by one", async () => {
  const club = await aClub();
  await club.member({ username: "boris" });
  const codes = await Promise.all(
    Array.from({ length: 20 }, (_, i) => login(club, "boris", `wrong-${i}`).then(({ code }) => code)),
  );
  expect(codes.filter((code) => code === "auth.wrong_credentials")).toHaveLength(5);
  expect(codes.filter((code) => code === "auth.too_many_attempts")).toHaveLength(15);
});

test("many people can sign in at once from one address without waiting", async () => {
  const club = await aClub();
  const people: Person[] = [];
  for (let i = 0; i < 12; i++) people.push(await club.member());
  const answers = await Promise.all(people.map(({ username, password }) => login(club, username, password)));
  expect(answers.map(({ status }) => status)).toEqual(people.map(() => 200));
});

test("an address that guesses waits whatever name it tries, and signing in to an own account does not clear its guesses", async () => {
  const club = await aClub({ TRUSTED_PROXIES: "127.0.0.1" });
  const from = (address: string) => ({ "x-forwarded-for": address });
  const mallory = await club.member({ username: "mallory" });
  for (const name of ["anna", "boris", "vera", "gleb"]) {
    await guess(club, 1, name, from("2001:db8:1:2::a"));
    expect((await login(club, mallory.username, PASSWORD, from("2001:db8:1:2::b"))).status).toBe(200);
  }
  await guess(club, 1, "dasha", from("2001:db8:1:2::c"));
  const next = await login(club, "elena", "guess", from("2001:db8:1:2:ffff::d"));
  expect(next.code, "the whole /64 is one address").toBe("auth.too_many_attempts");
  expect((await login(club, "elena", "guess", from("2001:db8:1:3::a"))).code).toBe("auth.wrong_credentials");
  expect((await login(club, "elena", "guess", from("203.0.113.9"))).code).toBe("auth.wrong_credentials");
});

test("a member who mistypes their password and then gets it right leaves no count on a shared address", async () => {
  const club = await aClub();
  for (const username of ["anna", "boris", "vera"]) {
    await club.member({ username });
    expect(await guess(club, 2, username)).not.toContain("auth.too_many_attempts");
    expect((await login(club, username, PASSWORD)).status).toBe(200);
  }
});

test("wrong attempts are deleted after 24 hours, and hold no address or name", async () => {
  const club = await aClub();
  await club.member({ username: "boris" });
  await guess(club, 3, "boris");
  expect(JSON.stringify(await rowsOf(club, "attempts"))).not.toMatch(/boris|127\.0\.0\.1/);
  club.clock.advance(24 * HOUR_MS - MINUTE_MS);
  await club.app.parts.auth.forgetOld();
  expect(await rowsOf(club, "attempts")).toHaveLength(2);
  club.clock.advance(MINUTE_MS);
  expect(await guess(club, 4, "boris"), "also before they are swept away").not.toContain("auth.too_many_attempts");
  club.clock.advance(24 * HOUR_MS);
  await club.app.parts.auth.forgetOld();
  expect(await rowsOf(club, "attempts")).toEqual([]);
});

test("a blocked member learns of the block, but only with the right password", async () => {
  const club = await aClub();
  const boris = await club.member({ username: "boris", row: { is_active: 0 } });
  expect((await login(club, "boris", "not this one")).code).toBe("auth.wrong_credentials");
  expect(await login(club, "boris", PASSWORD)).toMatchObject({ status: 403, code: "member.blocked" });
  expect((await club.as(boris).call("GET /auth/me")).code, "and his sessions do not count").toBe("auth.required");
});

test("check-role answers true to the right password of staff only, and counts as an attempt", async () => {
  const club = await aClub();
  await club.member({ username: "boris" });
  await club.moderator({ username: "vera" });
  const check = (username: string, password: string) =>
    club.guest.call("POST /auth/check-role", { body: { username, password } });
  expect((await check("vera", PASSWORD)).body).toEqual({ isAdminOrModerator: true });
  expect((await check("boris", PASSWORD)).body).toEqual({ isAdminOrModerator: false });
  for (let i = 0; i < 5; i++) expect((await check("vera", "wrong")).code).toBe("auth.wrong_credentials");
  expect((await login(club, "vera", PASSWORD)).code).toBe("auth.too_many_attempts");
});

test("hostile input at login is refused with a 4xx and signs nobody in", async () => {
  const club = await aClub();
  await club.member({ username: "boris" });
  for (const [what, body, status] of HOSTILE) {
    const answer = await club.guest.send("POST", "/api/auth/login", body);
    expect(answer.status, what).toBe(status);
    expect(answer.headers.get("set-cookie"), what).toBeNull();
  }
});

/** The cookies a browser would store from an answer, as it sends them back. */
const cookiesOf = (answer: { headers: Headers }) => {
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(";")[0] ?? "");
  return {
    session: cookies.find((one) => one.includes("_session=")),
    device: cookies.find((one) => one.includes("_device=")),
  };
};

describe("strangers who guess at an account", () => {
  const STRANGER = { "x-forwarded-for": "203.0.113.66" };
  const HOME = { "x-forwarded-for": "198.51.100.7" };
  const guarded = async () => {
    const club = await aClub({ TRUSTED_PROXIES: "127.0.0.1" });
    const boris = await club.member({ username: "boris" });
    const { device = "" } = cookiesOf(await login(club, "boris", PASSWORD, HOME));
    return { club, boris, device };
  };
  const check = (club: Club, password: string, headers: Record<string, string>) =>
    club.guest.call("POST /auth/check-role", { body: { username: "boris", password }, headers });

  test("do not keep out a browser that has signed in there before", async () => {
    const { club, device } = await guarded();
    for (let round = 0; round < 12; round++) {
      await guess(club, 1, "boris", STRANGER);
      club.clock.advance(15 * MINUTE_MS);
    }
    await guess(club, 1, "boris", STRANGER);
    expect((await login(club, "boris", PASSWORD, HOME)).code, "any other waits").toBe("auth.too_many_attempts");
    const known = { ...HOME, cookie: device };
    expect((await login(club, "boris", PASSWORD, known)).status).toBe(200);
    expect((await check(club, PASSWORD, known)).status).toBe(200);
    const besides = await login(club, "boris", PASSWORD, { ...STRANGER, cookie: device });
    expect(besides.status, "nor where both come from one address").toBe(200);
    expect((await login(club, "boris", "a guess", STRANGER)).code, "and wait on themselves").toBe(
      "auth.too_many_attempts",
    );
  });

  test("gain nothing from a member's sign-in: their own count continues", async () => {
    const { club, device } = await guarded();
    await guess(club, 5, "boris", STRANGER);
    expect((await login(club, "boris", PASSWORD, { ...HOME, cookie: device })).status).toBe(200);
    expect((await login(club, "boris", "a guess", STRANGER)).code).toBe("auth.too_many_attempts");
  });

  test("wait too if they have such a browser, and make nobody else wait", async () => {
    const { club, device } = await guarded();
    const known = { ...STRANGER, cookie: device };
    expect(await guess(club, 3, "boris", known)).not.toContain("auth.too_many_attempts");
    for (let i = 0; i < 2; i++) expect((await check(club, "a guess", known)).code).toBe("auth.wrong_credentials");
    expect((await login(club, "boris", PASSWORD, known)).code).toBe("auth.too_many_attempts");
    expect((await login(club, "boris", PASSWORD, HOME)).status).toBe(200);
  });

  test("cannot use a browser's mark for another account, alter it, or use it as a session", async () => {
    const { club, device } = await guarded();
    await club.member({ username: "anna" });
    const annas = cookiesOf(await login(club, "anna", PASSWORD, HOME)).device ?? "";
    const [id = "", mark = ""] = (device.split("=")[1] ?? "").split(".");
    await guess(club, 5, "boris", STRANGER);
    const forged = [
      annas,
      `${annas.split(".")[0]}.${mark}`,
      `krug_device=${id}`,
      `krug_device=${id}.${mark.slice(1)}A`,
      `krug_device=.${mark}`,
      `krug_device=${"A".repeat(4000)}`,
    ];
    for (const cookie of forged)
      expect((await login(club, "boris", PASSWORD, { ...HOME, cookie })).code, cookie).toBe("auth.too_many_attempts");
    const asSession = await club.guest.call("GET /auth/me", {
      headers: { cookie: device.replace("krug_device", "krug_session") },
    });
    expect(asSession.code).toBe("auth.required");
    expect(device).not.toMatch(/boris/);
  });

  test("lose such a browser when the password changes, and whoever changed it has one", async () => {
    const { club, boris, device } = await guarded();
    const changed = await club.as(boris).call("POST /users/change-password", {
      body: { currentPassword: PASSWORD, newPassword: "a new password" },
      headers: { ...HOME, cookie: device },
    });
    const renewed = cookiesOf(changed).device ?? "";
    await guess(club, 5, "boris", STRANGER);
    expect((await login(club, "boris", "a new password", { ...HOME, cookie: device })).code).toBe(
      "auth.too_many_attempts",
    );
    expect((await login(club, "boris", "a new password", { ...HOME, cookie: renewed })).status).toBe(200);
  });

  test("do not keep out a member whose password was set by a link or by the operator", async () => {
    const { club, boris } = await guarded();
    const admin = await club.admin();
    const { body } = await club.as(admin).call("POST /users/{id}/password-link", { params: { id: boris.id } });
    // The member's own mistakes: their address waits too.
    await guess(club, 5, "boris", HOME);
    const set = await club.guest.call("POST /auth/set-password", {
      body: { token: tokenInLink(body.link), password: "a new password" },
      headers: HOME,
    });
    await guess(club, 5, "boris", STRANGER);
    const { device = "", session } = cookiesOf(set);
    expect(session, "a link signs nobody in").toBeUndefined();
    expect((await login(club, "boris", "a new password", { ...HOME, cookie: device })).status).toBe(200);
    await guess(club, 5, "boris", { "x-forwarded-for": "198.51.100.8" });
    await club.app.parts.auth.resetPassword("boris", "the operator's one");
    const again = await login(club, "boris", "the operator's one", { "x-forwarded-for": "198.51.100.8" });
    expect(again.status).toBe(200);
  });

  test("do not keep out any account that signs in from a browser shared by several people", async () => {
    const { club, device } = await guarded();
    let kept = device;
    for (const username of ["anna", "vera", "gleb"]) {
      await club.member({ username });
      kept = cookiesOf(await login(club, username, PASSWORD, { ...HOME, cookie: kept })).device ?? "";
    }
    for (const username of ["boris", "anna", "vera", "gleb"]) {
      await guess(club, 5, username, STRANGER);
      club.clock.advance(15 * MINUTE_MS);
      await guess(club, 1, username, STRANGER);
      expect((await login(club, username, PASSWORD, { ...HOME, cookie: kept })).status, username).toBe(200);
    }
    expect(kept.length, "and it does not grow for ever").toBeLessThan(300);
  });

  test("meet a mark that only the club's own page can send, and only over https if the club uses it", async () => {
    const club = await aClub({ PUBLIC_URL: "https://club.example", TRUSTED_PROXIES: "127.0.0.1" });
    await club.member({ username: "boris" });
    const over = { host: "club.example", "x-forwarded-proto": "https", "x-forwarded-host": "club.example" };
    const answer = await login(club, "boris", PASSWORD, over);
    const cookie = answer.headers.getSetCookie().find((one) => one.includes("_device="));
    expect(cookie).toMatch(
      /^__Host-krug_device=[\w.-]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=34560000; Secure$/,
    );
  });
});

const HOSTILE: [string, unknown, number][] = [
  ["a line break", { username: "boris\n", password: PASSWORD }, 401],
  ["a quote", { username: "boris' or '1'='1", password: "' or 1=1 --" }, 401],
  ["a zero byte", { username: "boris\u0000", password: PASSWORD }, 400],
  ["a lone surrogate", { username: "boris", password: "\ud800" }, 401],
  ["a name that is not a text", { username: { $ne: null }, password: PASSWORD }, 400],
  ["a password that is a number", { username: "boris", password: 12345678 }, 400],
  ["an unknown field", { username: "boris", password: PASSWORD, role: "admin" }, 400],
  ["a missing password", { username: "boris" }, 400],
  ["a name of 5,000 characters", { username: "b".repeat(5_000), password: PASSWORD }, 400],
  ["a name of 10,000 characters", { username: "b".repeat(10_000), password: PASSWORD }, 413],
  ["a megabyte", { username: "boris", password: "p".repeat(1_048_576) }, 413],
  ["no JSON", '{"username":', 400],
];

const rowsOf = (club: Club, table: string) =>
  club.db
    .selectFrom(table as never)
    .selectAll()
    .execute();

test("simultaneous guesses from one address cost the machine no more than the few that are checked", async () => {
  const club = await aClub({}, SAFE_COST);
  const processorTime = async (work: () => Promise<unknown>) => {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  const GUESSES = 60;
  const { provePassword, hashPassword } = club.app.parts.auth;
  const oneHash = (await processorTime(() => Promise.all(Array.from({ length: 10 }, () => hashPassword("a"))))) / 10;
  const guessAll = () =>
    Promise.allSettled(
      Array.from({ length: GUESSES }, (_, i) =>
        provePassword({ username: `no-${i}`, password: "x", address: "192.0.2.7", device: null }),
      ),
    );
  let ends: Awaited<ReturnType<typeof guessAll>> = [];
  const spent = await processorTime(async () => {
    ends = await guessAll();
  });
  expect(ends.filter((end) => end.status === "fulfilled")).toHaveLength(5);
  expect(spent).toBeLessThan((oneHash * GUESSES) / 2);
});

test("a wrong password counts even if the right one is given at the same moment", async () => {
  const club = await aClub();
  const boris = await club.member({ username: "boris" });
  const address = "192.0.2.7";
  const { sealing, auth } = club.app.parts;
  const subjects = [sealing.hash("login-account", "boris"), sealing.hash("login-address", address)];
  const wrong = () => auth.provePassword({ username: boris.username, password: "not this one", address, device: null });
  await wrong();
  let isLocked = () => {};
  const locked = new Promise<void>((resolve) => {
    isLocked = resolve;
  });
  const forgiving = club.transact(async (tx) => {
    await lockAttempts(tx, subjects);
    isLocked();
    await wait(400);
    for (const subject of subjects) await deleteAttempts(tx, subject);
  });
  await locked;
  await Promise.all([forgiving, wrong()]);
  expect((await attemptsOf(club.db, subjects)).map((row) => row.failures)).toEqual([1, 1]);
});
