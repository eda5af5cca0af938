import { NAMING_KINDS, NOTICE_KINDS, type NoticeKind, traitsOf } from "@krug/domain/notices";
import { sampleParams } from "@krug/domain/notices/sample";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { botWorks, linkTelegram, withBot } from "../../../../testing/link-telegram.ts";
import { listen } from "../../../../testing/listen.ts";
import { type Club, PASSWORD, type Person, startClub } from "../../../../testing/start-club.ts";
import { DOUBLE_TOKEN, startTelegramDouble, type TelegramDouble } from "../../../../testing/telegram-double.ts";
import { makeTell, type NewNotice } from "./tell.ts";

/* Who may learn what a notice contains: in the inbox, in messages sent, and on open pages (decisions, section 2). */
const PATIENCE = { timeout: 20_000, interval: 20 };
const HOUR_MS = 3_600_000;
const at = "2026-11-23T12:00:00.000Z";
let telegram: TelegramDouble;
let club: Club;
let admin: Person;
let moderator: Person;
let member: Person;
const there = { admin: 701, moderator: 702, member: 703 };
type Reader = keyof typeof there;
const READERS = Object.keys(there) as Reader[];
const personOf = (reader: Reader) => ({ admin, moderator, member })[reader];
beforeAll(async () => {
  telegram = await startTelegramDouble();
  club = await startClub({ environment: withBot(telegram, DOUBLE_TOKEN) });
  // By day, when no notice waits.
  club.clock.advance(Date.parse(at) - club.clock.now().getTime());
  await botWorks(club);
  admin = await club.admin();
  moderator = await club.moderator();
  member = await club.member();
  for (const reader of READERS)
    await linkTelegram(club, telegram, personOf(reader), { id: there[reader], first_name: reader });
});
afterAll(async () => {
  await club.stop();
  await telegram.close();
});
const as = (reader: Reader) => club.as(personOf(reader));
const inboxOf = async (reader: Reader) => (await as(reader).call("GET /inbox", { query: { limit: 1_000 } })).body;
const unreadOf = async (reader: Reader) => (await as(reader).call("GET /inbox/unread")).body.unread;
const messages = () => READERS.map((reader) => telegram.messagesTo({ id: there[reader], first_name: "" }).length);
const isNaming = (kind: NoticeKind) => NAMING_KINDS.includes(kind);
const told = (kind: NoticeKind, about: string, more: object = {}) => ({
  told: { kind, params: sampleParams(kind) },
  ...(isNaming(kind) && { about }),
  ...more,
});
const tell = (notices: readonly unknown[]) =>
  club.transact((tx) => makeTell(club.app.parts)(tx, notices as readonly NewNotice[]));
const waiting = async () => ((await club.allRows()).get("outbox") ?? []).length;
const allSent = () => vi.waitFor(async () => expect(await waiting()).toBe(0), PATIENCE);
/** Sends notices of these kinds to everybody; answers who has which kinds unread, and how many messages each got. */
async function whoGets(kinds: readonly NoticeKind[], about: string, more: object = {}) {
  for (const reader of READERS) {
    const ids = (await inboxOf(reader)).map((row) => row.id);
    if (ids.length > 0) await as(reader).call("POST /inbox/read", { body: { ids } });
  }
  const before = messages();
  await tell(
    kinds.flatMap((kind) => READERS.map((reader) => ({ memberId: personOf(reader).id, ...told(kind, about, more) }))),
  );
  await allSent();
  return { ...(await whoHas()), messages: messages().map((count, n) => count - (before[n] ?? 0)) };
}
async function whoHas() {
  const unread = await Promise.all(
    READERS.map(async (reader) => (await inboxOf(reader)).filter(({ readAt }) => readAt === null)),
  );
  for (const [n, reader] of READERS.entries()) expect(await unreadOf(reader)).toBe(unread[n]?.length);
  return {
    readers: Object.fromEntries(
      NOTICE_KINDS.map((kind) => [kind, READERS.filter((_, n) => unread[n]?.some((notice) => notice.kind === kind))]),
    ),
  };
}
/** The expected readers: the kind's audience, without the moderator for kinds that name a VIP member. */
function expected(kinds: readonly NoticeKind[], isVip = false) {
  const readersOf = (kind: NoticeKind) =>
    READERS.filter((reader) => {
      if (!kinds.includes(kind)) return false;
      const { audience } = traitsOf(kind);
      if (isVip && isNaming(kind) && reader === "moderator") return false;
      return audience === "member" || reader === "admin" || (audience === "staff" && reader === "moderator");
    });
  const readers = Object.fromEntries(NOTICE_KINDS.map((kind) => [kind, readersOf(kind)]));
  const of = (reader: Reader) => Object.values(readers).filter((some) => some.includes(reader)).length;
  return { readers, messages: READERS.map(of) };
}
const NAMING = NOTICE_KINDS.filter(isNaming);
const setVip = (id: string, isVip: boolean) =>
  as("admin").call("PUT /users/{id}", { params: { id }, body: { isVip } as never });

test("each kind reaches its audience, in the inbox and through the bot", async () => {
  const plain = await club.member();
  expect(await whoGets(NOTICE_KINDS, plain.id)).toEqual(expected(NOTICE_KINDS));
});

test("no kind that names a VIP member reaches a moderator", async () => {
  const vip = await club.member({ row: { is_vip: 1 } });
  expect(NAMING).toContain("ticket_opened");
  expect(await whoGets(NOTICE_KINDS, vip.id)).toEqual(expected(NOTICE_KINDS, true));
});

test("a notice that names a member leaves the moderators' inbox when that member becomes VIP, and comes back afterwards", async () => {
  const later = await club.member();
  const { readers } = expected(NAMING);
  await whoGets(NAMING, later.id);
  expect(await whoHas()).toEqual({ readers });
  await setVip(later.id, true);
  expect(await whoHas()).toEqual({ readers: expected(NAMING, true).readers });
  const { inbox } = (await as("moderator").send("GET", "/api/users/me/export")).body as { inbox: { kind: string }[] };
  expect(inbox.length).toBeGreaterThan(0);
  expect(inbox).toHaveLength((await inboxOf("moderator")).length);
  await setVip(later.id, false);
  expect(await whoHas()).toEqual({ readers });
});

test("a notice that names a member is deleted with them", async () => {
  const gone = await club.member();
  const { readers } = await whoGets(NAMING, gone.id);
  expect(readers).toEqual(expected(NAMING).readers);
  expect((await as("admin").call("DELETE /users/{id}", { params: { id: gone.id } })).status).toBe(204);
  expect(await whoHas()).toEqual({ readers: expected([]).readers });
});

test("a summary that counts VIP members is for admins only", async () => {
  const { readers, messages } = await whoGets(["daily_digest"], "", { countsVip: true });
  expect([readers.daily_digest, messages]).toEqual([["admin"], [1, 0, 0]]);
});

test("former staff no longer see their staff notices", async () => {
  const former = await club.moderator();
  await tell([{ memberId: former.id, ...told("server_gone", "") }]);
  const count = async (token: string) => (await club.withToken(token).call("GET /inbox/unread")).body.unread;
  expect(await count(former.token)).toBe(1);
  await as("admin").call("POST /auth/confirm-password", { body: { password: PASSWORD } });
  await as("admin").call("PUT /users/{id}", { params: { id: former.id }, body: { role: "user" } });
  const { body } = await club.guest.call("POST /auth/login", {
    body: { username: former.username, password: PASSWORD },
  });
  expect(await count((body as unknown as { token: string }).token)).toBe(0);
});

test("a notice that waits for the morning is not sent to a moderator who may no longer see it", async () => {
  const night = Date.parse("2026-11-23T22:00:00Z") - club.clock.now().getTime();
  club.clock.advance(night);
  admin = await club.admin();
  await as("admin").call("PUT /admin/settings", { body: { quietFrom: 23, quietUntil: 8 } as never });
  const later = await club.member();
  const before = messages();
  await tell([{ memberId: moderator.id, ...told("referral_ends", later.id) }]);
  expect(await waiting()).toBe(1);
  await setVip(later.id, true);
  club.clock.advance(9 * HOUR_MS);
  await tell([{ memberId: member.id, ...told("staff_message", "") }]);
  await allSent();
  const after = messages();
  expect(after.map((count, n) => count - (before[n] ?? 0))).toEqual([0, 0, 1]);
});

test("a VIP member's ticket shows on no moderator's page", async () => {
  admin = await club.admin();
  moderator = await club.moderator();
  const vip = await club.member({ row: { is_vip: 1 } });
  const pages = await Promise.all(
    [admin, moderator].map(({ token }) => listen(`${club.origin}/api/events`, { token })),
  );
  onTestFinished(() => {
    for (const page of pages) page.leave();
  });
  const opened = await club.as(vip).call("POST /support/tickets", {
    body: { subject: "Тихо", description: "Секрет", category: "technical", priority: "low" },
  });
  expect(opened.status).toBe(201);
  expect(await pages[0]?.next()).toMatchObject({ data: { topic: "inbox" } });
  const ofModerator = ((await club.allRows()).get("notices") ?? []).filter((row) => row.member_id === moderator.id);
  expect(ofModerator).toEqual([]);
  // The next event that a moderator gets is their own.
  await tell([{ memberId: moderator.id, ...told("server_gone", "") }]);
  expect(await pages[1]?.next()).toMatchObject({ data: { topic: "inbox" } });
  expect((await inboxOf("moderator")).map(({ kind }) => kind)).toEqual(["server_gone"]);
});
