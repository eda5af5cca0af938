import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { configInput } from "../../../../testing/config-input.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";

/* The club's clock starts at noon on 21 November 2026. */
const DAY_MS = 86_400_000;
const GB = 1_000_000_000;
let club: Club;
let boris: Person;
let admin: Person;
beforeEach(async () => {
  club = await startClub();
  boris = await club.member({ subscriptionEnd: club.clock.now().getTime() + 300 * DAY_MS });
  admin = await club.admin();
});
afterEach(() => club.stop());

const make = async (owner: Person, name = "phone") => {
  const before = new Set(keys());
  const { id } = (await club.as(owner).call("POST /vpn/configs", { body: await configInput(club, owner, { name }) }))
    .body;
  return { id, key: keys().find((key) => !before.has(key)) ?? "" };
};
const keys = () => club.host.peers().map((peer) => peer.publicKey as string);
const use = async (key: string, gigabytes: number) => {
  club.host.use(key, { rx: 0, tx: Math.round(gigabytes * GB) }, club.clock.now().getTime());
  await minute();
  club.clock.advance(60_000);
};
/** The jobs of one minute. */
const minute = async () => {
  await club.app.parts.reconciler.readAll();
  await club.settle();
};
const change = async (body: object, who = boris) => {
  const answer = await club.as(admin).send("PUT", `/api/users/${who.username}`, body);
  expect(answer.status).toBe(200);
  await club.settle();
};
const give = (gigabytes: number, quotaAtEnd: "cut" | "tell" = "cut") =>
  change({ quotaBytes: gigabytes * GB, quotaAtEnd });
const quota = async () => (await club.as(boris).call("GET /vpn/quota")).body;
const right = async () => (await club.as(boris).call("GET /auth/me")).body.entitlement;
const told = async (who = boris) => (await club.as(who).call("GET /inbox")).body.map(({ kind }) => kind).toReversed();

test("members are notified at 80 % of the quota and at its end, which disconnects all devices until the month is over", async () => {
  const phone = await make(boris);
  const laptop = await make(boris, "laptop");
  const anna = await club.member();
  const hers = await make(anna);
  await give(10);
  await use(phone.key, 7.9);
  expect(await told()).toEqual([]);
  await use(laptop.key, 0.1);
  expect(await told()).toEqual(["quota_nearly"]);
  expect(keys()).toHaveLength(3);
  expect(await quota()).toEqual({
    bytes: 10 * GB,
    used: 8 * GB,
    atEnd: "cut",
    slowMbit: null,
    resetsAt: "2026-12-01T00:00:00.000+03:00",
  });
  await use(phone.key, 1.5);
  await use(phone.key, 1);
  expect(await told()).toEqual(["quota_nearly", "quota_used_up"]);
  expect(keys()).toEqual([hers.key]);
  expect(await right()).toEqual({ allowed: false, reason: "quota", until: "2026-12-01T00:00:00.000+03:00" });
  expect((await club.as(boris).call("GET /vpn/configs")).body.map(({ state }) => state)).toEqual(["off", "off"]);
  const diagnosis = await club.as(boris).call("GET /vpn/configs/{id}/diagnosis", { params: { id: phone.id } });
  expect(diagnosis.body.cause).toBe("quota");
  const more = await club
    .as(boris)
    .call("POST /vpn/configs", { body: await configInput(club, boris, { name: "third" }) });
  expect(more.code).toBe("quota.used_up");
  // They keep the file, and are notified once of what they used.
  expect((await club.as(boris).call("GET /vpn/configs/{id}/download", { params: { id: phone.id } })).status).toBe(200);
  await minute();
  expect(await told()).toHaveLength(2);

  // The last moment of November, and the first of December, in Moscow.
  club.clock.advance(Date.parse("2026-11-30T20:59:59Z") - club.clock.now().getTime());
  await club.app.parts.configs.cutEnded();
  await club.settle();
  expect(keys()).toHaveLength(1);
  club.clock.advance(1_000);
  await club.app.parts.configs.cutEnded();
  await club.settle();
  expect(keys()).toHaveLength(3);
  expect((await club.as(boris).call("GET /vpn/quota")).body).toMatchObject({
    used: 0,
    resetsAt: "2027-01-01T00:00:00.000+03:00",
  });
});

test("a quota that slows down at its end leaves every device on, and the lower of two limits holds until the month is over", async () => {
  const phone = await make(boris);
  const speed = () => club.host.speeds.map(({ key, mbit }) => [key, mbit]);
  await change({ quotaBytes: 10 * GB, quotaAtEnd: "slow", quotaSlowMbit: 3, speedMbit: 20 });
  expect(speed()).toEqual([[boris.id, 20]]);
  await use(phone.key, 11);
  expect(speed()).toEqual([[boris.id, 3]]);
  expect([keys(), await right()]).toMatchObject([[phone.key], { allowed: true }]);
  expect(await quota()).toMatchObject({ atEnd: "slow", slowMbit: 3 });
  const [notice] = (await club.as(boris).call("GET /inbox")).body;
  expect(notice).toMatchObject({ kind: "quota_used_up", params: { slowMbit: 3 } });
  await change({ speedMbit: 2 });
  expect([speed(), (await quota())?.slowMbit]).toEqual([[[boris.id, 2]], 2]);
  await change({ speedMbit: null, quotaSlowMbit: 4 });
  expect(speed()).toEqual([[boris.id, 4]]);
  // Each of these gives the speed back, and its opposite takes it.
  for (const [faster, slower] of [
    [{ quotaBytes: 20 * GB }, { quotaBytes: 10 * GB }],
    [{ quotaAtEnd: "tell" }, { quotaAtEnd: "slow" }],
    [{ isUnlimited: true }, { isUnlimited: false, subscriptionEnd: "2027-01-01" }],
  ] as const) {
    await change(faster);
    expect([faster, speed()]).toEqual([faster, []]);
    await change(slower);
    expect([slower, speed()]).toEqual([slower, [[boris.id, 4]]]);
  }
  await change({ quotaAtEnd: "cut" });
  expect([keys(), speed()]).toEqual([[], []]);
  await change({ quotaAtEnd: "slow" });
  expect([keys(), speed()]).toEqual([[phone.key], [[boris.id, 4]]]);
  club.clock.advance(Date.parse("2026-11-30T20:59:59Z") - club.clock.now().getTime());
  await club.app.lookAtServers();
  await club.settle();
  expect(speed()).toEqual([[boris.id, 4]]);
  club.clock.advance(1_000);
  await club.app.lookAtServers();
  await club.settle();
  expect(speed()).toEqual([]);
});

test("a full comparison with the server agrees, even if the quota's end or the new month went unnoticed", async () => {
  const phone = await make(boris);
  await give(10);
  await use(phone.key, 11);
  await club.app.lookAtServers();
  await club.settle();
  expect(keys()).toEqual([]);
  club.clock.advance(15 * DAY_MS);
  await club.app.lookAtServers();
  await club.settle();
  expect(keys()).toEqual([phone.key]);
});

test("if the quota's end only notifies, the VPN keeps working", async () => {
  const phone = await make(boris);
  await give(10, "tell");
  await use(phone.key, 12);
  expect(await told()).toEqual(["quota_used_up"]);
  expect(keys()).toEqual([phone.key]);
  expect((await right()).allowed).toBe(true);
  await give(10, "cut");
  expect(keys()).toEqual([]);
  await give(10, "tell");
  expect(keys()).toEqual([phone.key]);
});

test("if staff raise, remove or reset a quota, the devices reconnect at once", async () => {
  const phone = await make(boris);
  const isCut = () => keys().length === 0;
  await give(10);
  await use(phone.key, 10);
  expect(isCut()).toBe(true);
  await give(20);
  expect(isCut()).toBe(false);
  expect(await told()).toEqual(["quota_used_up"]);
  await give(5);
  expect(isCut()).toBe(true);
  await change({ quotaBytes: null });
  expect(isCut()).toBe(false);
  expect(await quota()).toBeNull();
  await give(5);
  await change({ resetQuota: true });
  expect(isCut()).toBe(false);
  expect((await quota())?.used).toBe(0);
  const audit = (await club.as(admin).call("GET /admin/audit", { query: { action: "member.quota_reset" } })).body;
  expect(audit).toMatchObject([{ before: { quotaUsed: 10 * GB }, after: { quotaUsed: 0 } }]);
  // And again from there.
  await use(phone.key, 5);
  expect(isCut()).toBe(true);
});

test("a payment resets the count", async () => {
  const phone = await make(boris);
  await give(10);
  await use(phone.key, 10);
  expect(keys()).toEqual([]);
  const paid = await club
    .as(admin)
    .call("PUT /admin/payments/status", { body: { userId: boris.id, status: "paid", period: "2026-11" } });
  expect(paid.status).toBe(200);
  await club.settle();
  expect(keys()).toEqual([phone.key]);
  expect((await quota())?.used).toBe(0);
});

test("usage of deleted devices counts, including their last bytes", async () => {
  const phone = await make(boris);
  const laptop = await make(boris, "laptop");
  await give(10);
  await use(phone.key, 6);
  club.host.use(phone.key, { rx: 0, tx: 4 * GB }, club.clock.now().getTime());
  await club.as(boris).call("DELETE /vpn/configs/{id}", { params: { id: phone.id } });
  await club.app.lookAtServers();
  await club.settle();
  expect((await quota())?.used).toBe(10 * GB);
  expect(keys()).not.toContain(laptop.key);
});

test("an unlimited member has a quota in name only, until the unlimited subscription ends", async () => {
  const phone = await make(boris);
  await change({ isUnlimited: true });
  await give(10);
  await use(phone.key, 11);
  expect(keys()).toEqual([phone.key]);
  expect(await told()).toEqual([]);
  await change({ isUnlimited: false, subscriptionEnd: "2027-01-01" });
  expect(keys()).toEqual([]);
});

test("if two staff set one member's quota at once, the second is warned", async () => {
  await give(10);
  const late = await club.as(admin).call("PUT /users/{id}", {
    params: { id: boris.id },
    body: { quotaBytes: 30 * GB, expected: { quotaBytes: null } },
  });
  expect(late.code).toBe("member.changed_meanwhile");
});

test("counting many devices takes as many statements as one, however many of their members have a quota", async () => {
  const phones: Awaited<ReturnType<typeof make>>[] = [];
  for (let n = 0; n < 12; n++) {
    const one = await club.member();
    phones.push(await make(one));
    await change({ quotaBytes: 10 * GB }, one);
  }
  const statementsFor = (some: typeof phones, gigabytes: number) =>
    club.transact(async (tx) => {
      const executed = vi.spyOn(tx.getExecutor(), "executeQuery");
      await club.app.parts.traffic.ingest(
        tx,
        some.map(({ id, key }) => ({
          configId: id,
          publicKey: key,
          rxBytes: 0,
          txBytes: Math.round(gigabytes * GB),
          lastHandshakeAt: club.clock.now().getTime(),
        })),
        { takes: () => true },
      );
      return executed.mock.calls.length;
    });
  const [first] = phones;
  if (first === undefined) throw new Error("nobody has a phone");
  await statementsFor(phones, 9);
  const ofOne = await statementsFor([first], 9.1);
  expect(ofOne).toBeGreaterThan(5);
  expect(await statementsFor(phones, 9.2)).toBe(ofOne);
});

test("a member with a subscription by referral still has it after the quota is used up", async () => {
  const earner = await club.member({
    subscriptionEnd: club.clock.now().getTime() - 40 * DAY_MS,
    row: { referral_earned_at: club.clock.now().getTime() },
  });
  const me = async (who: Person) => (await club.as(who).call("GET /auth/me")).body;
  expect(await me(earner)).toMatchObject({ isByReferral: true, entitlement: { reason: "referral" } });
  const { key } = await make(earner);
  await change({ quotaBytes: GB }, earner);
  await use(key, 2);
  expect(await me(earner)).toMatchObject({ isByReferral: true, entitlement: { reason: "quota" } });
  expect(await me(boris)).toMatchObject({ isByReferral: false });
});
