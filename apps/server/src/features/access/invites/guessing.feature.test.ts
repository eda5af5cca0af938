import { afterEach, beforeEach, expect, test } from "vitest";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
let club: Club;
let admin: Person;
let code: string;
beforeEach(async () => {
  club = await startClub({ environment: { TRUSTED_PROXIES: "127.0.0.1" } });
  admin = await club.admin();
  const interfaces = (await club.as(admin).call("GET /admin/servers/interfaces")).body.map(({ id }) => id);
  code = (await club.as(admin).call("POST /admin/invite-codes", { body: { interfaces, maxUses: -1 } })).body.code;
});
afterEach(() => club.stop());

function guesser(address: string) {
  const headers = { "x-forwarded-for": address };
  return {
    check: (guess: string) => club.guest.call("POST /auth/check-invite", { body: { code: guess }, headers }),
    join: (inviteCode: string, username = "newcomer") =>
      club.guest.call("POST /auth/register", { body: { username, password: "a fine phrase", inviteCode }, headers }),
    attempts: async () => (await club.guest.call("GET /auth/invite-attempts", { headers })).body,
    note: (valid: unknown) => club.guest.send("POST", "/api/auth/invite-attempts", { valid }, headers),
    async wrong(times: number) {
      for (let n = 0; n < times; n++) expect((await this.check("AAAAAA")).code).toBe("invite.wrong_code");
    },
  };
}

test("fifty wrong codes within an hour, from any addresses, notify staff once, and once more if they continue", async () => {
  const moderator = await club.moderator();
  const member = await club.member();
  const toldTo = async (person: Person) =>
    (await club.as(person).call("GET /inbox")).body.map(({ kind, params }) => [kind, params]);
  let addresses = 0;
  const wrongFromElsewhere = async (times: number) => {
    for (let n = 0; n < times; n++) await guesser(`198.51.100.${++addresses}`).wrong(1);
  };
  await wrongFromElsewhere(49);
  expect(await toldTo(admin)).toEqual([]);
  await wrongFromElsewhere(3);
  // Nothing about where they come from.
  const told = ["codes_guessed", { wrongCodes: 50 }];
  for (const person of [admin, moderator]) expect(await toldTo(person)).toEqual([told]);
  expect(await toldTo(member)).toEqual([]);
  club.clock.advance(HOUR_MS);
  await wrongFromElsewhere(49);
  expect(await toldTo(admin)).toEqual([told]);
  await wrongFromElsewhere(1);
  expect(await toldTo(admin)).toEqual([told, told]);
});

test("the fifth wrong code bans for five minutes, in which even the right one is not checked", async () => {
  const someone = guesser("198.51.100.1");
  await someone.wrong(4);
  expect(await someone.attempts()).toEqual({ count: 4, bannedUntil: null });
  // A wrong code counts the same in every call.
  expect((await someone.join("AAAAAA")).code).toBe("invite.wrong_code");
  const bannedUntil = club.clock.now().getTime() + 5 * MINUTE_MS;
  expect(await someone.attempts()).toEqual({ count: 5, bannedUntil });
  for (const answer of [await someone.check(code), await someone.join(code)]) {
    expect([answer.status, answer.code]).toEqual([429, "invite.banned"]);
    expect(answer.message).toBe("Попробуйте через 300 секунд");
    expect(answer.headers.get("retry-after")).toBe("300");
  }
  // Nothing more was counted meanwhile, and other addresses are not affected.
  expect((await someone.attempts()).count).toBe(5);
  expect((await guesser("198.51.100.2").check(code)).status).toBe(200);
  club.clock.advance(5 * MINUTE_MS);
  expect((await someone.check(code)).body).toEqual({ valid: true });
});

test("each further wrong code doubles the ban, up to a day; a quiet day after the ban forgets it all", async () => {
  const someone = guesser("198.51.100.1");
  await someone.wrong(5);
  const bans: number[] = [];
  for (let n = 0; n < 10; n++) {
    const { bannedUntil } = await someone.attempts();
    const ban = (bannedUntil ?? 0) - club.clock.now().getTime();
    bans.push(ban / MINUTE_MS);
    club.clock.advance(ban);
    await someone.wrong(1);
  }
  expect(bans).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1280, 1440]);
  club.clock.advance(24 * HOUR_MS);
  expect(await someone.attempts()).toEqual({ count: 15, bannedUntil: null });
  club.clock.advance(24 * HOUR_MS - 1);
  expect((await someone.attempts()).count).toBe(15);
  club.clock.advance(1);
  expect(await someone.attempts()).toEqual({ count: 0, bannedUntil: null });
});

test("simultaneous guesses get no more checks than the ban allows", async () => {
  const someone = guesser("198.51.100.1");
  const answers = await Promise.all(Array.from({ length: 20 }, () => someone.check("AAAAAA")));
  expect(answers.filter((answer) => answer.code === "invite.wrong_code")).toHaveLength(5);
  expect(answers.filter((answer) => answer.code === "invite.banned")).toHaveLength(15);
});

test("checking a right code clears nothing; a completed registration clears the count", async () => {
  const someone = guesser("198.51.100.1");
  await someone.wrong(4);
  await someone.check(code);
  await someone.join(code, "no");
  expect((await someone.attempts()).count).toBe(4);
  expect((await someone.join(code)).status).toBe(201);
  expect(await someone.attempts()).toEqual({ count: 0, bannedUntil: null });
});

test("what the client reports neither lowers nor raises the count", async () => {
  const someone = guesser("198.51.100.1");
  await someone.wrong(5);
  const before = await someone.attempts();
  for (const valid of [true, 1, "1", false, 0, "0"]) {
    const answer = await someone.note(valid);
    expect([answer.status, answer.body]).toEqual([200, before]);
  }
  for (const valid of [null, "yes", 2, {}]) expect((await someone.note(valid)).status).toBe(400);
  expect(await someone.attempts()).toEqual(before);
});

test("an IPv6 household is one address, and its neighbour another", async () => {
  await guesser("2001:db8:1:2::1").wrong(3);
  await guesser("2001:db8:1:2:ffff::9").wrong(2);
  expect((await guesser("2001:db8:1:2:3:4:5:6").check(code)).code).toBe("invite.banned");
  expect((await guesser("2001:db8:1:3::1").check(code)).status).toBe(200);
});

test("a port does not make another address, and all unreadable addresses are one", async () => {
  for (const port of [1, 2, 3]) await guesser(`198.51.100.1:${port}`).wrong(1);
  await guesser("::ffff:198.51.100.1").wrong(2);
  expect((await guesser("198.51.100.1").check(code)).code).toBe("invite.banned");
  for (const nonsense of ["unknown", "a", "b", "1.2.3.4.5", ""]) await guesser(nonsense).wrong(1);
  expect((await guesser("nobody has sent this").check(code)).code).toBe("invite.banned");
  expect((await guesser("198.51.100.2").check(code)).status).toBe(200);
});

test("addresses are stored nowhere, and expired counts are deleted", async () => {
  await guesser("198.51.100.77").wrong(5);
  const rows = () =>
    club.db
      .withTables<{ invite_attempts: Record<string, unknown> }>()
      .selectFrom("invite_attempts")
      .selectAll()
      .execute();
  expect(JSON.stringify(await rows())).not.toContain("198.51");
  await club.app.parts.invites.forgetOld();
  expect(await rows()).toHaveLength(1);
  club.clock.advance(48 * HOUR_MS);
  await club.app.parts.invites.forgetOld();
  expect(await rows()).toHaveLength(0);
});
