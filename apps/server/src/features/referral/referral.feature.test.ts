import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Club, type NewPerson, type Person, startClub } from "../../dev/start-club.ts";
import { wishFor } from "../../dev/wishes.ts";

const DAY_MS = 86_400_000;
let club: Club;
let anna: Person;
beforeEach(async () => {
  club = await startClub();
  // Nothing of her own: all she has comes from friends.
  anna = await club.member({ subscriptionEnd: null });
});
afterEach(() => club.stop());

/** A friend of `of`, with a device that has just connected unless told. */
async function friend(of: Person, wish: Omit<NewPerson, "role"> = {}, connects = true): Promise<Person> {
  const person = await club.member({
    subscriptionEnd: club.clock.now().getTime() + 60 * DAY_MS,
    ...wish,
    row: { friend_of: of.id, ...wish.row },
  });
  if (connects) await connect(person);
  return person;
}
/** A device of his, new where he has none, makes a handshake now. */
async function connect(person: Person) {
  const before = new Set(club.host.peers().map((peer) => peer.publicKey));
  await club.as(person).call("POST /vpn/configs", { body: await wishFor(club, person) });
  const key = club.host.peers().find((peer) => !before.has(peer.publicKey))?.publicKey;
  if (key === undefined) throw new Error("no peer came");
  club.host.use(key, { rx: 1, tx: 1 }, club.clock.now().getTime());
  await club.app.parts.reconciler.readAll();
}
const recount = async () => {
  await club.app.parts.referral.recount();
  await club.settle();
};
const entitlementOf = async (person: Person) => (await club.as(person).call("GET /auth/me")).body.entitlement;
const invited = (by: Person, of: Person = by) => club.as(by).call("GET /users/{id}/invited", { params: { id: of.id } });
const change = async (admin: Person, person: Person, body: object) => {
  expect((await club.as(admin).send("PUT", `/api/users/${person.id}`, body)).status).toBe(200);
  await club.settle();
};

describe("three friends who use the club earn their inviter his subscription", () => {
  test("with the third one's first handshake he is entitled without an end, with fewer no longer", async () => {
    await friend(anna);
    await friend(anna);
    const third = await friend(anna, {}, false);
    await recount();
    expect(await entitlementOf(anna)).toEqual({ allowed: false, reason: "none", until: null });
    await connect(third);
    await recount();
    expect(await entitlementOf(anna)).toEqual({ allowed: true, reason: "referral", until: null });
    club.clock.advance(30 * DAY_MS);
    await recount();
    expect(await entitlementOf(await signIn(anna))).toEqual({ allowed: false, reason: "none", until: null });
  });

  test("her peers follow by themselves: off when a friend is blocked, back when he is unblocked", async () => {
    const friends = [await friend(anna), await friend(anna), await friend(anna)];
    await recount();
    await connect(anna);
    const before = club.host.peers().length;
    const admin = await club.admin();
    const [first] = friends as [Person];
    await change(admin, first, { isActive: false });
    expect((await entitlementOf(anna)).reason).toBe("none");
    expect(club.host.peers()).toHaveLength(before - 2);
    expect((await club.as(anna).call("GET /vpn/configs")).body).toMatchObject([{ state: "off" }]);
    await change(admin, first, { isActive: true });
    expect((await entitlementOf(anna)).reason).toBe("referral");
    expect(club.host.peers()).toHaveLength(before);
    expect((await club.as(admin).call("DELETE /users/{id}", { params: { id: first.id } })).status).toBe(204);
    await club.settle();
    expect((await entitlementOf(anna)).reason).toBe("none");
  });

  test("a friend who has nothing but his own friends counts, and falls with them", async () => {
    const vera = await friend(anna, { subscriptionEnd: null }, false);
    await friend(anna);
    await friend(anna);
    const veras = [await friend(vera), await friend(vera), await friend(vera)];
    await recount();
    await connect(vera);
    await recount();
    expect([(await entitlementOf(vera)).reason, (await entitlementOf(anna)).reason]).toEqual(["referral", "referral"]);
    expect((await invited(anna)).body.filter(({ counts }) => counts)).toHaveLength(3);
    const admin = await club.admin();
    await change(admin, veras[0] as Person, { subscription_end: null });
    expect([(await entitlementOf(vera)).reason, (await entitlementOf(anna)).reason]).toEqual(["none", "none"]);
  });

  test("it lets her make codes, also on her trial", async () => {
    const boris = await club.member({ row: { subscription_source: "trial" } });
    expect((await club.as(boris).call("POST /users/generate-invite", { body: {} })).code).toBe("invite.on_trial");
    for (let n = 0; n < 3; n++) await friend(boris);
    await recount();
    expect((await club.as(boris).call("POST /users/generate-invite", { body: {} })).status).toBe(200);
  });

  test("a recount that finds nothing new writes nothing", async () => {
    for (let n = 0; n < 3; n++) await friend(anna);
    await recount();
    const earnedAt = async () => (await club.app.parts.members.find(club.db, anna.id))?.referral_earned_at;
    const before = await earnedAt();
    club.clock.advance(60_000);
    await recount();
    expect(await earnedAt()).toBe(before);
  });
});

/** Long waits end sessions. */
async function signIn(person: Person): Promise<Person> {
  const { username, password } = person;
  const { body } = await club.guest.call("POST /auth/login", { body: { username, password } });
  return { ...person, token: body.token };
}

describe("the list of invited friends", () => {
  test("says who counts and why not yet, the newest first", async () => {
    const until = club.clock.now().getTime() + 60 * DAY_MS;
    await friend(anna, { username: "Anton" });
    club.clock.advance(1_000);
    await friend(anna, { username: "igor", row: { subscription_source: "trial" } });
    club.clock.advance(1_000);
    await friend(anna, { username: "quiet" }, false);
    club.clock.advance(1_000);
    await friend(anna, { username: "ended", subscriptionEnd: null }, false);
    club.clock.advance(1_000);
    await friend(anna, { username: "blocked", row: { is_active: 0 } }, false);
    club.clock.advance(1_000);
    await friend(anna, { username: "endless", row: { is_unlimited: 1 } });
    const { body } = await invited(anna);
    expect(
      body.map((one) => [
        one.displayName,
        one.counts,
        one.reasonWhyNot,
        one.hasActiveSubscription,
        one.subscriptionUntil !== null,
      ]),
    ).toEqual([
      ["endless", true, null, true, false],
      ["blocked", false, "blocked", false, false],
      ["ended", false, "no_subscription", false, false],
      ["quiet", false, "no_handshake", true, true],
      ["igor", false, "on_trial", false, true],
      ["Anton", true, null, true, true],
    ]);
    expect(Date.parse(body.at(-1)?.subscriptionUntil ?? "")).toBe(until);
  });

  test("holds whoever joined with one's own code, and nobody who came by a staff code", async () => {
    const admin = await club.admin({ row: { is_unlimited: 1 } });
    const [place] = (await club.as(admin).call("GET /admin/servers/interfaces")).body;
    const staff = await club
      .as(admin)
      .send("POST", "/api/admin/invite-codes", { interfaces: [place?.id], subscriptionDays: 30 });
    const own = await club.as(admin).call("POST /users/generate-invite", { body: {} });
    const join = (username: string, inviteCode: string) =>
      club.guest.call("POST /auth/register", { body: { username, password: "a phrase of one's own", inviteCode } });
    expect((await join("stranger", (staff.body as { code: string }).code)).status).toBe(201);
    expect((await join("friend", own.body.code)).status).toBe(201);
    expect((await invited(admin)).body.map(({ displayName }) => displayName)).toEqual(["friend"]);
  });

  test("is one's own, or staff's with the second factor; VIP members do not exist for a moderator", async () => {
    await friend(anna, { username: "seen" }, false);
    await friend(anna, { username: "vip", row: { is_vip: 1 } }, false);
    const names = async (by: Person) => (await invited(by, anna)).body.map(({ displayName }) => displayName).sort();
    expect(await names(anna)).toEqual(["seen", "vip"]);
    expect(await names(await club.admin())).toEqual(["seen", "vip"]);
    expect(await names(await club.moderator())).toEqual(["seen"]);
    const looking = { params: { id: anna.id }, query: { as: "moderator" as const } };
    const asModerator = await club.as(await club.admin()).call("GET /users/{id}/invited", looking);
    expect(asModerator.body.map(({ displayName }) => displayName)).toEqual(["seen"]);
    expect((await club.as(anna).call("GET /users/{id}/invited", looking)).body).toHaveLength(2);
    expect((await invited(await club.member(), anna)).code).toBe("auth.not_yourself");
    expect((await invited(await club.admin({ elevated: false }), anna)).code).toBe("auth.two_factor_required");
    const vip = await club.member({ row: { is_vip: 1 } });
    expect((await invited(await club.moderator(), vip)).code).toBe("member.not_found");
  });
});
