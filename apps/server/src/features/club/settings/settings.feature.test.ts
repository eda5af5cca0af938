import { describe, expect, onTestFinished, test } from "vitest";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";

async function aClub(environment: Record<string, string> = {}): Promise<Club> {
  const club = await startClub({ environment });
  onTestFinished(() => club.stop());
  return club;
}
const change = (club: Club, who: Person, body: object) => club.as(who).call("PUT /admin/settings", { body });
const read = async (club: Club, who: Person) => (await club.as(who).call("GET /admin/settings")).body;

describe("the club's settings", () => {
  test("hold until they are changed, also through a restart; settings not named stay", async () => {
    const club = await aClub();
    const admin = await club.admin();
    expect(await read(club, admin)).toEqual({
      graceHours: 0,
      quietFrom: 23,
      quietUntil: 8,
      ownCodesPerMonth: 10,
      joinsPerAddressPerDay: 40,
      joinsPerCodePerDay: 60,
      newMemberConfigLimit: 3,
      newMemberQuotaBytes: null,
      newMemberQuotaAtEnd: "cut",
      newMemberQuotaSlowMbit: 5,
      dormantAfterDays: 0,
      clubTimeZone: "Europe/Moscow",
      moderatorMayInvites: false,
      moderatorMayInterfaces: false,
      moderatorMayPasswordLinks: false,
      fixedBy: { clubTimeZone: null },
    });
    const changed = await change(club, admin, { graceHours: 12, moderatorMayInvites: 1 });
    expect(changed.body).toMatchObject({ graceHours: 12, moderatorMayInvites: true, ownCodesPerMonth: 10 });
    await club.restart();
    expect(await read(club, admin)).toEqual(changed.body);
  });

  test("the former values are in the log, and an unchanged value is not", async () => {
    const club = await aClub();
    const admin = await club.admin();
    await change(club, admin, { graceHours: 12, ownCodesPerMonth: 10 });
    await change(club, admin, { graceHours: 12 });
    const log = (await club.as(admin).call("GET /admin/audit", { query: { action: "settings.changed" } })).body;
    expect(log).toMatchObject([{ by: { id: admin.id }, before: { graceHours: 0 }, after: { graceHours: 12 } }]);
  });

  test("of two admins who change one setting the second is refused, and nothing of theirs is written", async () => {
    const club = await aClub();
    const [one, other] = [await club.admin(), await club.admin()];
    await change(club, one, { graceHours: 12, expected: { graceHours: 0 } });
    const late = await change(club, other, { graceHours: 6, ownCodesPerMonth: 3, expected: { graceHours: 0 } });
    expect(late).toMatchObject({ status: 409, code: "settings.changed_meanwhile" });
    expect(await read(club, one)).toMatchObject({ graceHours: 12, ownCodesPerMonth: 10 });
    expect((await change(club, other, { ownCodesPerMonth: 3, expected: { ownCodesPerMonth: 10 } })).status).toBe(200);
  });

  test("a transaction reads them through itself only, also right after someone else has read them", async () => {
    const club = await aClub();
    const { db, transact } = club;
    const { settings } = club.app.parts;
    await settings.read(db);
    await expect(transact(() => settings.read(db))).rejects.toThrow("use tx there");
    await expect(transact((tx) => settings.read(tx))).resolves.toMatchObject({ graceHours: 0 });
  });

  test("of two changes at once one wins", async () => {
    const club = await aClub();
    const admin = await club.admin();
    const answers = await Promise.all(
      [5, 6, 7, 8].map((graceHours) => change(club, admin, { graceHours, expected: { graceHours: 0 } })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  });

  test("a change reaches the gate too", async () => {
    const club = await aClub();
    const admin = await club.admin();
    const put = (body: object) => club.as(admin).call("PUT /admin/security", { body });
    expect((await put({ blockedCountries: ["UA"], expected: { blockedCountries: ["UA", "KZ", "NL"] } })).status).toBe(
      200,
    );
    const late = await put({ blockedCountries: [], expected: { blockedCountries: ["UA", "KZ", "NL"] } });
    expect(late.code).toBe("settings.changed_meanwhile");
  });

  test.each([
    [{ graceHours: -1 }, "graceHours"],
    [{ graceHours: 1.5 }, "graceHours"],
    [{ ownCodesPerMonth: 1_001 }, "ownCodesPerMonth"],
    [{ joinsPerAddressPerDay: 0 }, "joinsPerAddressPerDay"],
    [{ joinsPerCodePerDay: 0 }, "joinsPerCodePerDay"],
    [{ newMemberConfigLimit: -2 }, "newMemberConfigLimit"],
    [{ newMemberQuotaBytes: 0 }, "newMemberQuotaBytes"],
    [{ newMemberQuotaAtEnd: "stop" }, "newMemberQuotaAtEnd"],
    [{ clubTimeZone: "Moscow" }, "clubTimeZone"],
    [{ moderatorMayInvites: "maybe" }, "moderatorMayInvites"],
  ])("a wrong value names its field: %j", async (body, field) => {
    const club = await aClub();
    const admin = await club.admin();
    const answer = await change(club, admin, { ...body });
    expect([answer.status, answer.message]).toEqual([400, expect.stringContaining(`«${field}»`)]);
  });
});

describe("the club's time zone", () => {
  test("applies from the moment it is set: days end by it", async () => {
    const club = await aClub();
    const admin = await club.admin();
    const boris = await club.member();
    const end = async () => {
      const body = { subscriptionEnd: "2027-03-01" };
      return (await club.as(admin).call("PUT /users/{id}", { params: { id: boris.id }, body })).body.subscriptionEnd;
    };
    expect(await end()).toBe("2027-03-01T23:59:59.000+03:00");
    await change(club, admin, { clubTimeZone: "Asia/Tokyo" });
    expect(await end()).toBe("2027-03-01T23:59:59.000+09:00");
    await club.restart();
    expect(club.app.parts.clubTime.readWritten("2027-03-02")).toBe(Date.parse("2027-03-02T14:59:59Z"));
  });

  test("the environment's overrides it, is shown with the variable's name, and refuses a change", async () => {
    const club = await aClub({ CLUB_TIME_ZONE: "Asia/Yekaterinburg" });
    const admin = await club.admin();
    expect(await read(club, admin)).toMatchObject({
      clubTimeZone: "Asia/Yekaterinburg",
      fixedBy: { clubTimeZone: "CLUB_TIME_ZONE" },
    });
    const answer = await change(club, admin, { clubTimeZone: "Asia/Tokyo", graceHours: 5 });
    expect([answer.code, answer.message]).toEqual(["settings.fixed", expect.stringContaining("CLUB_TIME_ZONE")]);
    expect((await read(club, admin)).graceHours).toBe(0);
  });
});

describe("an admin switches moderators' rights on", () => {
  test("invite codes", async () => {
    const club = await aClub();
    const [admin, moderator] = [await club.admin(), await club.moderator()];
    const [place] = (await club.as(admin).call("GET /admin/servers/interfaces")).body;
    const make = (who: Person) =>
      club.as(who).call("POST /admin/invite-codes", { body: { interfaces: [place?.id ?? ""], subscriptionDays: 30 } });
    expect((await make(moderator)).code).toBe("auth.forbidden");
    await change(club, admin, { moderatorMayInvites: true });
    const made = await make(moderator);
    expect(made.status).toBe(201);
    const params = { id: made.body.id };
    expect((await club.as(moderator).call("PUT /admin/invite-codes/{id}/deactivate", { params })).code).toBe(
      "auth.forbidden",
    );
    await change(club, admin, { moderatorMayInvites: false });
    expect((await make(moderator)).code).toBe("auth.forbidden");
  });

  test("password links, but never to staff or to a VIP member", async () => {
    const club = await aClub();
    const [admin, moderator] = [await club.admin(), await club.moderator()];
    const [boris, vip] = [await club.member(), await club.member({ row: { is_vip: 1 } })];
    const link = async (id: string) =>
      (await club.as(moderator).call("POST /users/{id}/password-link", { params: { id } })).code;
    expect(await link(boris.id)).toBe("auth.forbidden");
    await change(club, admin, { moderatorMayPasswordLinks: true });
    expect(await link(boris.id)).toBeUndefined();
    expect(await link(admin.id)).toBe("auth.forbidden");
    expect(await link(moderator.id)).toBe("auth.forbidden");
    expect(await link(vip.id)).toBe("member.not_found");
  });
});

test("new members get the configured limit and quota, existing ones keep theirs", async () => {
  const club = await aClub();
  const admin = await club.admin();
  const [place] = (await club.as(admin).call("GET /admin/servers/interfaces")).body;
  const before = await club.member();
  await change(club, admin, { newMemberConfigLimit: 7, newMemberQuotaBytes: 50_000, newMemberQuotaAtEnd: "tell" });
  const quota = { quotaBytes: 50_000, quotaAtEnd: "tell" };
  const terms = { interfaces: [place?.id ?? ""], subscriptionDays: 30 };
  const { code } = (await club.as(admin).call("POST /admin/invite-codes", { body: terms })).body;
  const body = { username: "newcomer", password: "a fairly long one", inviteCode: code };
  const joined = await club.guest.call("POST /auth/register", { body });
  expect(joined.body.user).toMatchObject({ vpnConfigLimit: 7, ...quota });
  const friends = await club.as(before).call("POST /users/generate-invite", { body: {} });
  const friend = { username: "friend", password: "a fairly long one", inviteCode: friends.body.code ?? "" };
  expect((await club.guest.call("POST /auth/register", { body: friend })).body.user).toMatchObject(quota);
  expect((await club.as(before).call("GET /auth/me")).body).toMatchObject({ vpnConfigLimit: 3, quotaBytes: null });
  const added = await club.as(admin).call("POST /users", { body: { username: "added" } });
  expect(added.body.user).toMatchObject({ vpnConfigLimit: 7, ...quota });
  const own = await club.as(admin).call("POST /users", { body: { username: "own", vpnConfigLimit: 1 } });
  expect(own.body.user.vpnConfigLimit).toBe(1);
  await change(club, admin, { newMemberQuotaBytes: null });
  expect((await club.as(admin).call("POST /users", { body: { username: "later" } })).body.user.quotaBytes).toBeNull();
});
