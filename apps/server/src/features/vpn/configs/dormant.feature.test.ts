import { sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { auditOf } from "../../../../testing/audit-of.ts";
import { configInput } from "../../../../testing/config-input.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";

/* Devices that nobody uses, or whose end has come, are switched off, and brought back (ADR 186, 199). */
const DAY_MS = 24 * 3_600_000;

let club: Club;
let admin: Person;
let anna: Person;
beforeEach(async () => {
  club = await startClub();
  admin = await club.admin();
  anna = await club.member({ configLimit: -1, subscriptionEnd: null, row: { is_unlimited: 1 } });
});
afterEach(() => club.stop());

/** Sessions end meanwhile. */
const as = async ({ id }: Person) => {
  const { members, auth } = club.app.parts;
  const { token } = await club.transact(async (tx) => {
    const row = await members.lock(tx, id);
    if (row === undefined) throw new Error("there is no such member");
    return auth.openSession(tx, row, "Test");
  });
  const actor = await auth.authenticate(token, true);
  return club.withToken((actor && (await club.transact((tx) => auth.renewToken(tx, actor, true))).token) ?? token);
};
const switchOffAfter = async (dormantAfterDays: number) =>
  (await as(admin)).call("PUT /admin/settings", { body: { dormantAfterDays } });
const make = async (name: string, owner = anna) => {
  const body = await configInput(club, owner, { name });
  const { id } = (await (await as(owner)).call("POST /vpn/configs", { body })).body;
  const { rows } = await sql<{ public_key: string }>`select public_key from configs where id = ${id}`.execute(club.db);
  club.clock.advance(1_000);
  return { id, key: rows[0]?.public_key ?? "" };
};
const run = async (name: string) => {
  for (const work of club.app.parts.configs.timed) if (work.name === name) await work.run();
};
const use = async (keys: readonly string[], at = club.clock.now().getTime()) => {
  for (const key of keys) club.host.use(key, { rx: 10, tx: 10 }, at);
  await club.app.parts.reconciler.readAll();
};
/** Days on which these devices connect and the panel looks, twice a day. */
const days = async (count: number, ...used: string[]) => {
  for (let day = 0; day < count; day += 1) {
    club.clock.advance(DAY_MS);
    await use(used);
    for (const _ of ["morning", "evening"]) await run("devices not seen");
  }
  await run("devices long off");
  await club.settle();
};
/** As many days that passed in the same way. */
const skip = (count: number) => sql`update unseen_devices set days = days + ${count}`.execute(club.db);
const onWire = () => club.host.devicesOn("wg0").flatMap((peer) => (peer.allowedIps.length > 0 ? [peer.publicKey] : []));
const own = async (who = anna) => (await (await as(who)).call("GET /vpn/configs")).body;
const stateOf = async (name: string, who = anna) => (await own(who)).find((config) => config.name === name);
const told = async (who = anna) =>
  (await (await as(who)).call("GET /inbox")).body
    .flatMap((one) =>
      one.kind === "devices_unseen" || one.kind === "devices_end" ? [`${one.params.stage}: ${one.params.names}`] : [],
    )
    .reverse();
const reactivate = async (id: string, who = anna) =>
  (await as(who)).call("POST /vpn/configs/{id}/reactivate", { params: { id } });

test("an unused device is announced, switched off, and back by one press with the same peer; then deleted", async () => {
  const [phone, tv, tablet] = [await make("phone"), await make("tv"), await make("tablet")];
  const peer = () =>
    club.host
      .peers()
      .find(({ publicKey }) => publicKey === tv.key)
      ?.allowedIps.join();
  const before = peer();
  await days(2, phone.key);
  await switchOffAfter(30);
  const planned = async () => (await stateOf("tv"))?.dormantFrom;
  expect(await planned()).toBeNull();
  await days(2, phone.key);
  expect((await sql`select days from unseen_devices`.execute(club.db)).rows, "from now on").toEqual([
    { days: 1 },
    { days: 1 },
  ]);
  await skip(14);
  expect(await told()).toEqual([]);
  await days(1, phone.key);
  expect(await told(), "one notice for all of a member's devices").toEqual(["soon: tv,tablet"]);
  const { clubTime } = club.app.parts;
  const dayAfter = (count: number) => clubTime.dayOf(club.clock.now().getTime(), count);
  expect(await planned(), "its card says when").toBe(dayAfter(14));
  await use([tablet.key]);
  await skip(12);
  await days(1, phone.key);
  expect(await planned()).toBe(dayAfter(1));
  expect(onWire()).toContain(tv.key);
  await days(1, phone.key);
  expect(onWire().toSorted()).toEqual([phone.key, tablet.key].toSorted());
  expect(await told()).toEqual(["soon: tv,tablet", "off: tv"]);
  const off = await stateOf("tv");
  expect(off).toMatchObject({ state: "off", isBlocked: false });
  expect(Date.parse(off?.dormant?.keptUntil ?? "") - club.clock.now().getTime()).toBe(90 * DAY_MS);
  const listed = async (filter: "dormant" | "pending") =>
    (await (await as(admin)).call("GET /vpn/configs", { query: { scope: "all", filter } })).body.map(
      ({ name }) => name,
    );
  expect([await listed("dormant"), await listed("pending")], "nothing waits for its server").toEqual([["tv"], []]);

  expect((await reactivate(tv.id)).body).toMatchObject({ state: "applied", dormant: null, needsDownload: false });
  expect(peer()).toBe(before);
  expect((await reactivate(tv.id)).status, "again it changes nothing").toBe(200);
  await days(2, phone.key);
  await skip(15);
  await days(1, phone.key);
  await skip(12);
  await days(1, phone.key);
  expect(onWire(), "it has all of its days again").toContain(tv.key);
  await days(1, phone.key);
  expect(onWire()).not.toContain(tv.key);

  await skip(90);
  await days(1, phone.key);
  expect(
    (await own()).map(({ name }) => name),
    "a clock that was behind",
  ).toContain("tv");
  await sql`update unseen_devices set days = 1`.execute(club.db);
  club.clock.advance(100 * DAY_MS);
  await days(1, phone.key);
  expect(
    (await own()).map(({ name }) => name),
    "a clock that jumped ahead",
  ).toContain("tv");
  await skip(88);
  await days(1, phone.key);
  expect((await own()).map(({ name }) => name)).toEqual(["phone"]);
  expect((await told()).at(-1)).toBe("deleted: tv,tablet");
  expect(await reactivate(tv.id)).toMatchObject({ status: 404, code: "config.not_found" });
});

test("a day counts only if others on the interface connected: an away server or panel switches nobody off", async () => {
  const [phone, tv] = [await make("phone"), await make("tv")];
  await switchOffAfter(30);
  await days(2, phone.key);
  await skip(27);
  await days(1, phone.key);
  await days(2);
  await skip(12);
  await days(2);
  expect([onWire().length, await told()], "nobody got through").toEqual([2, ["soon: tv"]]);
  club.clock.advance(400 * DAY_MS);
  await run("devices not seen");
  club.clock.advance(-400 * DAY_MS);
  await run("devices not seen");
  await club.settle();
  expect(onWire(), "a clock that jumped, and one that is right again").toContain(tv.key);
  await days(1, phone.key);
  expect(onWire()).toEqual([phone.key]);
});

test("a device whose server's clock lags is in use as long as its counters move", async () => {
  const [phone, tv] = [await make("phone"), await make("tv")];
  await switchOffAfter(30);
  await days(2, phone.key);
  for (const _ of [1, 2, 3]) {
    await skip(28);
    await use([tv.key], club.clock.now().getTime() - 90 * DAY_MS);
    await days(1, phone.key);
  }
  expect([onWire().length, await told()]).toEqual([2, []]);
});

test("without a subscription no day counts, and bringing a device back does not cut in", async () => {
  const now = club.clock.now().getTime();
  const boris = await club.member({ configLimit: 1, subscriptionEnd: now + 10 * DAY_MS });
  const input = await configInput(club, boris, { name: "other" });
  const [phone, tv] = [await make("phone"), await make("tv", boris)];
  await switchOffAfter(30);
  await days(2, phone.key);
  await skip(28);
  await days(1, phone.key);
  await skip(13);
  await days(1, phone.key);
  expect(await stateOf("tv", boris)).toMatchObject({ state: "off", dormant: { since: expect.any(String) } });
  const another = await (await as(boris)).call("POST /vpn/configs", { body: input });
  expect(another.code, "it keeps its place").toBe("config.limit_reached");
  club.clock.advance(8 * DAY_MS);
  expect((await reactivate(tv.id, boris)).body).toMatchObject({ state: "off", dormant: null });
  expect(onWire()).toEqual([phone.key]);
  await days(2, phone.key);
  const { rows } = await sql`select * from unseen_devices`.execute(club.db);
  expect(rows, "it could not connect").toEqual([]);
});

test("only its owner and admins bring a device back, and the audit has who did; a setting under 30 days is refused", async () => {
  expect((await switchOffAfter(29)).status).toBe(400);
  const [phone, tv] = [await make("phone"), await make("tv")];
  await switchOffAfter(30);
  await days(2, phone.key);
  await skip(28);
  await days(1, phone.key);
  await skip(13);
  await days(1, phone.key);
  expect(onWire()).toEqual([phone.key]);
  expect(await reactivate(tv.id, await club.member())).toMatchObject({ status: 404 });
  const params = { id: tv.id };
  expect((await (await as(admin)).call("POST /admin/configs/{id}/reactivate", { params })).body.state).toBe("applied");
  expect(await auditOf(club, tv.id)).toMatchObject([{ action: "config.reactivated" }]);
  await days(2, phone.key);
  await switchOffAfter(0);
  await days(1, phone.key);
  const { rows } = await sql`select * from unseen_devices`.execute(club.db);
  expect(rows, "nothing is kept about who stays away").toEqual([]);
});

const setEnd = async (id: string, until: string | null, who = anna) =>
  (await as(who)).call("PUT /vpn/configs/{id}", { params: { id }, body: { until } });
const setEndOf = async (id: string, until: string | null) =>
  (await as(admin)).call("PUT /admin/configs/{id}/end", { params: { id }, body: { until } });
/** A moment on the club's clock, Moscow's. */
const at = (written: string) => club.clock.advance(Date.parse(`${written}+03:00`) - club.clock.now().getTime());
const ending = async () => {
  await run("devices that end");
  await club.settle();
};

test("a guest's device works to the end of its day, and is back with a new end or none, as the same peer", async () => {
  const [phone, guest] = [await make("phone"), await make("guest")];
  const before = club.host
    .peers()
    .find(({ publicKey }) => publicKey === guest.key)
    ?.allowedIps.join();
  at("2026-12-01T12:00:00");
  expect(await setEnd(guest.id, "2026-11-30")).toMatchObject({ status: 400, code: "config.end_in_past" });
  const ends = { at: "2026-12-05T23:59:59.000+03:00", isOver: false, byStaff: false };
  expect((await setEnd(guest.id, "2026-12-05")).body).toMatchObject({ state: "applied", ends, needsDownload: false });
  await ending();
  expect(await told()).toEqual([]);
  at("2026-12-05T00:01:00");
  for (const _ of ["once", "again"]) await ending();
  expect(await told()).toEqual(["soon: guest"]);
  at("2026-12-05T23:59:58");
  await ending();
  expect(onWire()).toContain(guest.key);
  at("2026-12-06T00:00:00");
  for (const _ of ["once", "again"]) await ending();
  expect(onWire()).toEqual([phone.key]);
  expect(await told()).toEqual(["soon: guest", "ended: guest"]);
  expect(await stateOf("guest")).toMatchObject({ state: "off", ends: { ...ends, isOver: true }, dormantFrom: null });
  const listed = async (filter: "dormant" | "ended") =>
    (await (await as(admin)).call("GET /vpn/configs", { query: { scope: "all", filter } })).body.map(
      ({ name }) => name,
    );
  expect([await listed("ended"), await listed("dormant")]).toEqual([["guest"], []]);
  const { cause } = (await (await as(anna)).call("GET /vpn/configs/{id}/diagnosis", { params: { id: guest.id } })).body;
  expect(cause).toBe("ended");

  expect((await setEnd(guest.id, "2026-12-06")).body).toMatchObject({ state: "applied", dormant: null });
  expect(
    club.host
      .peers()
      .find(({ publicKey }) => publicKey === guest.key)
      ?.allowedIps.join(),
  ).toBe(before);
  at("2026-12-07T00:00:00");
  await ending();
  expect(await told(), "whoever ends it today knows").toEqual(["soon: guest", "ended: guest", "ended: guest"]);
  expect((await reactivate(guest.id)).body).toMatchObject({ state: "applied", dormant: null, ends: null });
  await ending();
  expect(onWire()).toContain(guest.key);

  await setEnd(guest.id, "2026-12-07");
  at("2026-12-08T00:00:00");
  await ending();
  await sql`update unseen_devices set days = 90`.execute(club.db);
  club.clock.advance(91 * DAY_MS);
  await run("devices long off");
  expect((await own()).map(({ name }) => name)).toEqual(["phone"]);
  expect((await told()).at(-1)).toBe("deleted: guest");
});

test("what staff set only staff change; a clock that was ahead takes nothing away, and a move takes the end along", async () => {
  const guest = await make("guest");
  at("2026-12-01T12:00:00");
  expect((await setEndOf(guest.id, "2026-12-05")).body.ends).toMatchObject({ byStaff: true });
  await setEndOf(guest.id, "2026-12-05");
  expect(await auditOf(club, guest.id), "once").toMatchObject([
    { action: "config.end_changed", before: { endsAt: null }, after: { endsAt: "2026-12-05T23:59:59.000+03:00" } },
  ]);
  for (const until of ["2026-12-31", null])
    expect(await setEnd(guest.id, until)).toMatchObject({ status: 403, code: "config.end_by_staff" });
  const year = 365 * DAY_MS;
  club.clock.advance(year);
  await ending();
  expect(onWire()).toEqual([]);
  expect(await reactivate(guest.id)).toMatchObject({ status: 403, code: "config.end_by_staff" });
  club.clock.advance(-year);
  await ending();
  expect([onWire(), (await stateOf("guest"))?.dormant]).toEqual([[guest.key], null]);

  const params = { id: guest.id };
  await (await as(anna)).call("GET /vpn/configs/{id}/download", { params });
  const serverId = (await (await as(admin)).call("GET /admin/servers")).body[0]?.id ?? "";
  const wg1 = (await (await as(admin)).send("POST", `/api/admin/servers/${serverId}/create-interface`, {})).body as {
    interface: { id: string };
  };
  const to = { params, body: { interfaceId: wg1.interface.id } };
  const moved = await (await as(admin)).call("PUT /admin/configs/{id}/interface", to);
  await club.settle();
  const onBoth = () => [...onWire(), ...club.host.devicesOn("wg1")].length;
  expect(onBoth()).toBe(2);
  expect(moved.body.ends).toMatchObject({ at: "2026-12-05T23:59:59.000+03:00" });
  at("2026-12-06T00:00:00");
  await ending();
  const passes = () => club.host.peers().filter((peer) => peer.publicKey === guest.key && peer.allowedIps.length > 0);
  expect(passes(), "not at the place that it leaves either").toEqual([]);
  expect((await setEndOf(guest.id, null)).body).toMatchObject({ state: "applied", ends: null });
  const mine = await (await as(anna)).call("GET /users/me/export");
  expect(JSON.stringify(mine.body)).toContain('"worksUntil":null');
});
