import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { configInput } from "../../../../testing/config-input.ts";
import { type Club, type NewPerson, type Person, startClub } from "../../../../testing/start-club.ts";

const DAY_MS = 86_400_000;
let club: Club;
let anna: Person;
beforeEach(async () => {
  club = await startClub();
  // She has no subscription of her own: all she has comes from friends.
  anna = await club.member({ subscriptionEnd: null });
  // The first recount covers everyone.
  await look();
});
afterEach(() => club.stop());

/** A friend of `of`, by default with a device that has just connected. */
async function friend(of: Person, about: Omit<NewPerson, "role"> = {}, connects = true): Promise<Person> {
  const person = await club.member({
    subscriptionEnd: club.clock.now().getTime() + 60 * DAY_MS,
    ...about,
    row: { friend_of: of.id, ...about.row },
  });
  if (connects) await connect(person);
  return person;
}
/** A device of theirs, a new one if they have none, makes a handshake now. */
async function connect(person: Person) {
  const before = new Set(club.host.peers().map((peer) => peer.publicKey));
  await club.as(person).call("POST /vpn/configs", { body: await configInput(club, person) });
  const key = club.host.peers().find((peer) => !before.has(peer.publicKey))?.publicKey;
  if (key === undefined) throw new Error("no peer came");
  club.host.use(key, { rx: 1, tx: 1 }, club.clock.now().getTime());
  await club.app.parts.reconciler.readAll();
}
/** The panel's check every two seconds: recounts only what time and acts have changed. */
const look = async () => {
  await club.app.parts.referral.look();
  await club.settle();
};
const entitlementOf = async (person: Person) => (await club.as(person).call("GET /auth/me")).body.entitlement;
const invited = (by: Person, of: Person = by) => club.as(by).call("GET /users/{id}/invited", { params: { id: of.id } });
const change = async (admin: Person, person: Person, body: object) => {
  expect((await club.as(admin).send("PUT", `/api/users/${person.id}`, body)).status).toBe(200);
  await club.settle();
};

describe("an inviter is notified", () => {
  const told = async (person = anna) =>
    (await club.as(person).call("GET /inbox")).body.flatMap((notice) =>
      notice.kind === "friend_connected" || notice.kind === "referral_earned" ? [[notice.kind, notice.params]] : [],
    );
  const named = (name: string) => ["friend_connected", { friend: name }];

  test("of each friend's first connection, once in a life, and of the third friend's reward", async () => {
    const vera = await friend(anna, { row: { display_name: "Вера" } }, false);
    expect(await told()).toEqual([]);
    await connect(vera);
    expect(await told()).toEqual([named("Вера")]);
    // The first handshake after more than a month.
    club.clock.advance(40 * DAY_MS);
    const [peer] = club.host.peers();
    club.host.use(peer?.publicKey ?? "", { rx: 2, tx: 2 }, club.clock.now().getTime());
    await club.app.parts.reconciler.readAll();
    expect(await told(await signIn(anna))).toEqual([named("Вера")]);
    club.clock.advance(1_000);
    await friend(anna, { row: { display_name: "Олег" } });
    club.clock.advance(1_000);
    await friend(anna, { row: { display_name: "Нина" } });
    club.clock.advance(1_000);
    await look();
    const all = await told(await signIn(anna));
    expect(all).toHaveLength(4);
    expect(all).toEqual(
      expect.arrayContaining([["referral_earned", { friends: 3 }], named("Нина"), named("Олег"), named("Вера")]),
    );
  });

  test("of no friend hidden from them, and deleting a friend deletes the notice", async () => {
    const moderator = await club.moderator();
    await friend(moderator, { row: { display_name: "Тайный", is_vip: 1 } });
    const seen = await friend(moderator, { row: { display_name: "Вера" } });
    expect(await told(moderator)).toEqual([named("Вера")]);
    const admin = await club.admin();
    expect((await club.as(admin).call("DELETE /users/{id}", { params: { id: seen.id } })).status).toBe(204);
    expect(await told(moderator)).toEqual([]);
  });

  test("of a reward by a payment only if it stays: undone unread it was never told, and read it is taken back", async () => {
    const admin = await club.admin();
    const inviter = await club.member({ subscriptionEnd: null });
    for (let count = 0; count < 2; count++) await friend(inviter);
    const third = await friend(inviter, { row: { subscription_source: "trial" } });
    const kinds = async () =>
      (await club.as(inviter).call("GET /inbox")).body.flatMap(({ kind }) =>
        kind.startsWith("referral") ? [kind] : [],
      );
    const payAndUndo = async (reads: boolean) => {
      const act = randomUUID().replaceAll("-", "");
      const period = club.app.parts.clubTime.dayOf(club.clock.now().getTime()).slice(0, 7);
      const body = { userId: third.id, period, status: "paid" as const, act };
      await club.as(admin).call("PUT /admin/payments/status", { body });
      await look();
      expect(await kinds()).toEqual(["referral_earned"]);
      if (reads) await club.as(inviter).call("POST /inbox/read", { body: {} });
      expect((await club.as(admin).call("POST /admin/payments/undo", { body: { act } })).body.undone).toBe(1);
      await look();
    };
    await payAndUndo(false);
    expect(await kinds()).toEqual([]);
    await payAndUndo(true);
    expect((await kinds()).sort()).toEqual(["referral_earned", "referral_ended"]);
  });

  test("of no reward that changes nothing for them: they have an unlimited subscription", async () => {
    const boris = await club.member({ row: { is_unlimited: 1 } });
    for (let count = 0; count < 3; count++) await friend(boris);
    await look();
    expect((await told(boris)).map(([kind]) => kind)).not.toContain("referral_earned");
  });
});

describe("three friends who use the club earn their inviter the subscription", () => {
  test("with the third one's first handshake the inviter is entitled without an end, and loses it with fewer", async () => {
    await friend(anna);
    await friend(anna);
    const third = await friend(anna, {}, false);
    await look();
    expect(await entitlementOf(anna)).toEqual({ allowed: false, reason: "none", until: null });
    await connect(third);
    await look();
    expect(await entitlementOf(anna)).toEqual({ allowed: true, reason: "referral", until: null });
    club.clock.advance(30 * DAY_MS);
    await look();
    expect(await entitlementOf(await signIn(anna))).toEqual({ allowed: false, reason: "none", until: null });
  });

  test("her peers follow: off when a friend is blocked, back when they are unblocked", async () => {
    const friends = [await friend(anna), await friend(anna), await friend(anna)];
    await look();
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

  test("a friend entitled only by their own friends counts, and stops with them", async () => {
    const vera = await friend(anna, { subscriptionEnd: null }, false);
    await friend(anna);
    await friend(anna);
    const veras = [await friend(vera), await friend(vera), await friend(vera)];
    await look();
    await connect(vera);
    await look();
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
    await look();
    expect((await club.as(boris).call("POST /users/generate-invite", { body: {} })).status).toBe(200);
  });

  test("a recount that finds nothing new writes nothing", async () => {
    for (let n = 0; n < 3; n++) await friend(anna);
    await look();
    const earnedAt = async () => (await club.app.parts.members.find(club.db, anna.id))?.referral_earned_at;
    const before = await earnedAt();
    club.clock.advance(60_000);
    await look();
    expect(await earnedAt()).toBe(before);
  });
});

describe("the cost of a change does not grow with the club", () => {
  const reads = () => {
    const { members } = club.app.parts;
    return { all: vi.spyOn(members, "friendsAfter"), some: vi.spyOn(members, "friendsOfThese") };
  };
  const reasonOf = async (person: Person) => {
    const row = (await club.app.parts.members.find(club.db, person.id)) ?? expect.unreachable();
    return (await club.app.parts.members.entitlementOf(club.db, row)).reason;
  };

  test("an act reads only the friends of the inviters above; each level follows the one below", async () => {
    const vera = await friend(anna, { subscriptionEnd: null }, false);
    await friend(anna);
    await friend(anna);
    const veras = [await friend(vera), await friend(vera), await friend(vera)];
    await look();
    await connect(vera);
    await look();
    const other = await club.member();
    await friend(other);
    await look();
    const admin = await club.admin();
    const { all, some } = reads();
    await change(admin, veras[0] as Person, { isActive: false });
    expect([await reasonOf(vera), await reasonOf(anna)]).toEqual(["none", "none"]);
    await change(admin, veras[0] as Person, { isActive: true });
    expect([await reasonOf(vera), await reasonOf(anna)]).toEqual(["referral", "referral"]);
    expect(all).not.toHaveBeenCalled();
    expect(new Set(some.mock.calls.flatMap(([, ids]) => ids))).toEqual(new Set([vera.id, anna.id]));
  });

  test("changes by time show within two seconds: an end, a month of silence, and a clock set back", async () => {
    await friend(anna);
    await friend(anna);
    const third = await friend(anna, { subscriptionEnd: club.clock.now().getTime() + DAY_MS });
    await look();
    const { all, some } = reads();
    const after = async (ms: number) => {
      club.clock.advance(ms);
      await look();
      return reasonOf(anna);
    };
    expect(await after(DAY_MS - 1)).toBe("referral");
    expect(some).not.toHaveBeenCalled();
    expect(await after(1)).toBe("none");
    expect(await after(-2 * 3_600_000)).toBe("referral");
    expect(await after(2 * 3_600_000)).toBe("none");
    await change(await club.admin(), third, { isUnlimited: true });
    expect(await reasonOf(anna)).toBe("referral");
    expect(await after(29 * DAY_MS - 1)).toBe("referral");
    expect(await after(1)).toBe("none");
    expect(all).not.toHaveBeenCalled();
  });

  test("changing the grace hours recounts everyone once", async () => {
    for (let n = 0; n < 3; n++) await friend(anna, { subscriptionEnd: club.clock.now().getTime() + DAY_MS });
    club.clock.advance(DAY_MS);
    await look();
    expect(await reasonOf(anna)).toBe("none");
    const admin = await club.admin();
    expect((await club.as(admin).call("PUT /admin/settings", { body: { graceHours: 5 } })).status).toBe(200);
    await look();
    expect(await reasonOf(anna)).toBe("referral");
    club.clock.advance(5 * 3_600_000);
    await look();
    expect(await reasonOf(anna)).toBe("none");
  });

  test("a friend whose standing changes during a full recount is recorded with the new one", async () => {
    const friends = [await friend(anna), await friend(anna), await friend(anna)];
    await look();
    const { members } = club.app.parts;
    await club.transact((tx) => members.setReferral(tx, anna.id, null));
    const { friendsAfter } = members;
    vi.spyOn(members, "friendsAfter").mockImplementationOnce(async (...asked) => {
      const rows = await friendsAfter(...asked);
      await change(await club.admin(), friends[0] as Person, { isActive: false });
      return rows;
    });
    await club.app.parts.referral.recount();
    await club.settle();
    expect(await reasonOf(anna)).toBe("none");
  });
});

describe("a friend's lapse ends the inviter's benefit", () => {
  const told = async (person: Person) =>
    (await club.as(await signIn(person)).call("GET /inbox")).body
      .filter(({ kind }) => kind !== "friend_connected" && kind !== "referral_earned")
      .map(({ kind, params }) => [
        kind,
        "days" in params ? params.days : null,
        "friend" in params ? params.friend : null,
      ])
      .toReversed();
  const remind = () => club.app.parts.inbox.remindOfEnds();
  const inDays = (days: number) => club.clock.now().getTime() + days * DAY_MS;

  test("both are notified three days before and a day before, and the inviter when it happens", async () => {
    await friend(anna);
    await friend(anna, { username: "late", subscriptionEnd: inDays(40) });
    const soon = await friend(anna, { username: "soon", subscriptionEnd: inDays(5) });
    await look();
    for (let hours = 0; hours < 5 * 24 + 2; hours += 2) {
      await remind();
      await remind();
      club.clock.advance(2 * 3_600_000);
      await look();
    }
    expect(await told(anna)).toEqual([
      ["referral_ends", 3, "soon"],
      ["referral_ends", 1, "soon"],
      ["referral_ended", null, null],
    ]);
    expect((await told(soon)).slice(0, 2)).toEqual([
      ["subscription_ends", 3, null],
      ["subscription_ends", 1, null],
    ]);
  });

  test("a member who keeps enough friends or has paid for longer gets no notice; if their own end comes later, they do", async () => {
    const [rich, paid, later] = [
      await club.member({ subscriptionEnd: null }),
      await club.member({ subscriptionEnd: inDays(30) }),
      await club.member({ subscriptionEnd: inDays(2.5) }),
    ];
    for (const inviter of [rich, paid, later]) {
      for (let n = 0; n < 2; n++) await friend(inviter);
      await friend(inviter, { subscriptionEnd: inDays(2) });
    }
    await friend(rich);
    await look();
    await remind();
    expect(await told(rich)).toEqual([]);
    expect(await told(paid)).toEqual([]);
    expect(await told(later)).toEqual([["subscription_ends", 3, null]]);
  });

  test("it reaches members who have it through somebody who has it through friends", async () => {
    const vera = await friend(anna, { username: "vera", subscriptionEnd: null }, false);
    await friend(anna);
    await friend(anna);
    await friend(vera, { username: "soon", subscriptionEnd: inDays(2) });
    await friend(vera);
    await friend(vera);
    await look();
    await connect(vera);
    await look();
    await remind();
    expect(await told(vera)).toEqual([["referral_ends", 3, "soon"]]);
    expect(await told(anna)).toEqual([["referral_ends", 3, "vera"]]);
  });

  test("nothing ends during the friend's grace hours; after a renewal the next end is notified again", async () => {
    const admin = await club.admin();
    await club.as(admin).call("PUT /admin/settings", { body: { graceHours: 24 } });
    await friend(anna);
    await friend(anna);
    const soon = await friend(anna, { username: "soon", subscriptionEnd: inDays(0.5) });
    await look();
    await remind();
    club.clock.advance(DAY_MS);
    await look();
    await remind();
    expect(await told(anna)).toEqual([["referral_ends", 1, "soon"]]);
    await change(await club.admin(), soon, { subscriptionEnd: new Date(inDays(2)).toISOString() });
    await remind();
    expect(await told(anna)).toEqual([
      ["referral_ends", 1, "soon"],
      ["referral_ends", 3, "soon"],
    ]);
  });
});

/** Long waits end sessions. */
async function signIn(person: Person): Promise<Person> {
  const { username, password } = person;
  const { body } = await club.guest.call("POST /auth/login", { body: { username, password } });
  return { ...person, token: body.token };
}

describe("the list of invited friends", () => {
  test("says who counts and why others do not yet, the newest first", async () => {
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

  test("has everyone who joined with the member's own code, and nobody who joined by a staff code", async () => {
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

  test("is visible to the member, and to staff with the second factor; a moderator sees no VIP members", async () => {
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
