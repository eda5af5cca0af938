import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Listening, listen } from "../../../../testing/listen.ts";
import { type Club, type NewPerson, type Person, startClub } from "../../../../testing/start-club.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A time as the club's default zone writes it. */
const inClub = (iso: string) => `${new Date(Date.parse(iso) + 3 * 3_600_000).toISOString().slice(0, -1)}+03:00`;

let club: Club;
let admin: Person;
const open: Listening[] = [];
beforeAll(async () => {
  club = await startClub();
  admin = await club.admin({ username: "chief" });
});
afterEach(() => {
  for (const stream of open.splice(0)) stream.leave();
});
afterAll(() => club.stop());

const inboxOf = async (person: Person) => (await club.as(person).call("GET /inbox")).body;
const toldTo = async (person: Person) => (await inboxOf(person)).map(({ kind, params }) => [kind, params] as const);
const unreadOf = async (person: Person) => (await club.as(person).call("GET /inbox/unread")).body.unread;
const notify = (person: Person, message: string, by = admin) =>
  club.as(by).call("POST /telegram/notify/{userId}", { params: { userId: person.id }, body: { message } });
const inboxCount = async (memberId: string) =>
  ((await club.allRows()).get("notices") ?? []).filter((row) => row.member_id === memberId).length;
const inTime = (ms: number) => club.clock.now().getTime() + ms;

describe("an admin's message", () => {
  test("appears in the member's inbox and in the audit", async () => {
    const boris = await club.member();
    expect((await notify(boris, "  Зайдите в чат,\nпожалуйста ")).body).toEqual({ success: true });
    expect(await toldTo(boris)).toEqual([["staff_message", { text: "Зайдите в чат,\nпожалуйста" }]]);
    const { body } = await club.as(admin).call("GET /admin/users/{id}", { params: { id: boris.id } });
    expect(body.history[0]).toMatchObject({
      action: "inbox.message_sent",
      after: { message: "Зайдите в чат,\nпожалуйста" },
    });
  });

  test("has at most a thousand characters, and at least one", async () => {
    const boris = await club.member();
    for (const message of ["", "  ", "x".repeat(1_001)])
      expect((await notify(boris, message)).code).toBe("request.invalid");
    expect((await notify(boris, "x".repeat(1_000))).status).toBe(200);
    expect((await notify({ ...boris, id: "nobody" }, "x")).code).toBe("member.not_found");
    expect((await notify(boris, "x", await club.moderator())).code).toBe("auth.forbidden");
  });
});

describe("an admin's message to many", () => {
  const bulk = (body: object, by = admin, key?: string) =>
    club.as(by).call("POST /admin/users/bulk", {
      body: { action: "message", message: "Сегодня ночью обновление", ...body } as never,
      ...(key === undefined ? {} : { headers: { "idempotency-key": key } }),
    });

  test("reaches each of them once, also if the call is repeated", async () => {
    const [boris, vera, other] = [await club.member(), await club.member(), await club.member()];
    const ids = [boris.id, vera.id];
    expect((await bulk({ ids }, admin, "once")).body).toEqual({ changed: ids.toSorted(), refused: [] });
    expect((await bulk({ ids }, admin, "once")).body).toEqual({ changed: ids.toSorted(), refused: [] });
    for (const person of [boris, vera])
      expect(await toldTo(person)).toEqual([["staff_message", { text: "Сегодня ночью обновление" }]]);
    expect(await toldTo(other)).toEqual([]);
    const { body } = await club.as(admin).call("GET /admin/users/{id}", { params: { id: vera.id } });
    expect(body.history[0]).toMatchObject({ action: "inbox.message_sent" });
  });

  test("reaches everyone whom a filter finds, and nobody else", async () => {
    const [boris, blocked] = [await club.member(), await club.member()];
    await club.as(admin).call("PUT /users/{id}", { params: { id: blocked.id }, body: { isActive: false } });
    const answer = await club.as(admin).call("POST /admin/users/bulk/matching", {
      body: { matching: { state: "active" }, after: null, action: "message", message: "Всем" } as never,
    });
    expect(answer.body).toMatchObject({ refused: [], after: null });
    expect(await toldTo(boris)).toEqual([["staff_message", { text: "Всем" }]]);
    expect(await inboxCount(blocked.id)).toBe(0);
  });

  test("needs text and an admin", async () => {
    const boris = await club.member();
    const none = await bulk({ ids: [boris.id], message: undefined });
    expect(none.body).toMatchObject({ error: { code: "request.invalid", details: { field: "message" } } });
    expect((await bulk({ ids: [boris.id] }, await club.moderator())).code).toBe("auth.forbidden");
    expect(await toldTo(boris)).toEqual([]);
  });
});

describe("reading", () => {
  test("a notice stays read; nobody reads another member's notices", async () => {
    const [boris, vera] = [await club.member(), await club.member()];
    await notify(boris, "one");
    await notify(boris, "two");
    await notify(vera, "hers");
    const [newest] = await inboxOf(boris);
    const [hers] = await inboxOf(vera);
    const read = (ids: string[]) => club.as(boris).call("POST /inbox/read", { body: { ids } });
    expect(await unreadOf(boris)).toBe(2);
    expect((await read([newest?.id ?? "", hers?.id ?? ""])).body).toEqual({ unread: 1 });
    expect(await unreadOf(vera)).toBe(1);
    const seenAt = (await inboxOf(boris))[0]?.readAt;
    club.clock.advance(1_000);
    await read([newest?.id ?? ""]);
    expect((await inboxOf(boris))[0]?.readAt).toBe(seenAt);
    expect((await club.as(boris).call("POST /inbox/read", { body: {} })).body).toEqual({ unread: 0 });
    expect((await inboxOf(boris)).map(({ readAt }) => readAt === seenAt)).toEqual([true, false]);
    expect(await unreadOf(vera), "everybody's own").toBe(1);
  });

  test("comes in pages, the newest first, that lose nothing even if several came at one moment", async () => {
    const boris = await club.member();
    for (const text of ["a", "b", "c", "d", "e"]) await notify(boris, text);
    const read: string[] = [];
    let cursor: string | null = null;
    do {
      const query: { limit: number; cursor?: string } = { limit: 2, ...(cursor ? { cursor } : {}) };
      const page = await club.as(boris).call("GET /inbox", { query });
      read.push(...page.body.map(({ params }) => (params as { text: string }).text));
      cursor = page.headers.get("x-next-cursor");
    } while (cursor !== null);
    expect(read.toSorted()).toEqual(["a", "b", "c", "d", "e"]);
    expect((await club.as(boris).send("GET", "/api/inbox?cursor=x")).code).toBe("request.invalid");
  });

  test("open pages learn of a new notice, and of one read on another page", async () => {
    const boris = await club.member();
    const page = await listen(`${club.origin}/api/events`, { token: boris.token });
    open.push(page);
    await notify(boris, "live");
    expect(await page.next()).toMatchObject({ data: { topic: "inbox" } });
    const [notice] = await inboxOf(boris);
    await club.as(boris).call("POST /inbox/read", { body: { ids: [notice?.id ?? ""] } });
    expect(await page.next()).toMatchObject({ data: { topic: "inbox" } });
  });
});

describe("the end of a subscription", () => {
  const ending = (inMs: number, about: Omit<NewPerson, "role"> = {}) =>
    club.member({ ...about, subscriptionEnd: inTime(inMs) });
  const look = () => club.app.parts.inbox.remindOfEnds();

  test("is notified three days before, a day before and when it comes, once each, however often it is checked", async () => {
    const boris = await ending(3 * DAY_MS);
    const end = new Date(inTime(3 * DAY_MS)).toISOString();
    for (let hours = 0; hours <= 80; hours += 4) {
      await look();
      await look();
      club.clock.advance(4 * HOUR_MS);
    }
    expect((await toldTo(boris)).toReversed()).toEqual([
      ["subscription_ends", { days: 3, endsAt: inClub(end) }],
      ["subscription_ends", { days: 1, endsAt: inClub(end) }],
      ["subscription_ended", { endedAt: inClub(end) }],
    ]);
    admin = await club.admin();
  });

  test("after a restart the current state is notified, not what was missed, and nothing twice", async () => {
    const [boris, vera] = [await ending(3 * DAY_MS), await ending(2.5 * DAY_MS)];
    await look();
    club.clock.advance(2 * DAY_MS);
    await club.restart();
    await Promise.all([look(), look()]);
    expect((await toldTo(boris)).map(([kind, params]) => [kind, (params as { days?: number }).days])).toEqual([
      ["subscription_ends", 1],
      ["subscription_ends", 3],
    ]);
    club.clock.advance(20 * DAY_MS);
    await look();
    expect(
      (await toldTo(vera)).filter(([kind]) => kind === "subscription_ended"),
      "long ago is no news",
    ).toEqual([]);
    admin = await club.admin();
  });

  test("is notified again after a renewal", async () => {
    const boris = await ending(20 * HOUR_MS);
    await look();
    const body = { subscriptionEnd: new Date(inTime(2 * DAY_MS)).toISOString() };
    await club.as(admin).call("PUT /users/{id}", { params: { id: boris.id }, body });
    await look();
    const ends = (await toldTo(boris)).filter(([kind]) => kind === "subscription_ends");
    expect(ends.map(([, params]) => (params as { days: number }).days).toSorted()).toEqual([1, 3]);
  });

  test("is notified to everyone, also if more end than one check handles", async () => {
    const row = (await club.app.parts.members.find(club.db, (await ending(DAY_MS)).id)) as { id: string };
    await club.transact(async (tx) => {
      for (let n = 0; n < 601; n++) {
        const id = `00000000-0000-4000-9000-${String(n).padStart(12, "0")}`;
        await club.app.parts.members.insert(tx, {
          ...(row as never as object),
          id,
          username: `crowd-${n}`,
          username_key: `crowd-${n}`,
        } as never);
      }
    });
    await look();
    const { n } = await club.db
      .withTables<{ notices: { member_id: string; kind: string } }>()
      .selectFrom("notices")
      .select((e) => e.fn.countAll<number>().as("n"))
      .where("member_id", "like", "00000000-0000-4000-9000-%")
      .where("kind", "=", "subscription_ends")
      .executeTakeFirstOrThrow();
    expect(Number(n)).toBe(601);
  });
});

test("a payment is notified once with the day it pays for; so is taking it back, with what is left", async () => {
  const boris = await club.member();
  await club.as(admin).call("PUT /admin/payments/settings", { body: { price: "300" } });
  const period = club.app.parts.clubTime.dayOf(club.clock.now().getTime()).slice(0, 7);
  const set = (status: "paid" | "overdue") =>
    club.as(admin).call("PUT /admin/payments/status", { body: { userId: boris.id, status, period } });
  await set("paid");
  await set("paid");
  const until = (await club.as(boris).call("GET /users/{id}", { params: { id: boris.id } })).body.subscriptionEnd;
  expect(await toldTo(boris)).toEqual([["payment_recorded", { period, until }]]);
  club.clock.advance(1);
  await set("overdue");
  const { subscriptionEnd } = (await club.as(boris).call("GET /users/{id}", { params: { id: boris.id } })).body;
  expect(await toldTo(boris)).toHaveLength(2);
  expect((await toldTo(boris))[0]).toEqual(["payment_taken_back", { period, until: subscriptionEnd }]);
});

describe("a month's status is notified", () => {
  const period = () => club.app.parts.clubTime.dayOf(club.clock.now().getTime()).slice(0, 7);
  const DAYS = 20;
  /** What the member is notified of after the last of these statuses, and the subscription's end then. */
  const set = async (statuses: readonly ("paid" | "overdue" | "not_required")[], subscriptionEnd: number | null) => {
    const boris = await club.member({ subscriptionEnd });
    let before = 0;
    for (const status of statuses) {
      club.clock.advance(1);
      before = (await toldTo(boris)).length;
      const body = { userId: boris.id, status, period: period() };
      expect((await club.as(admin).call("PUT /admin/payments/status", { body })).status).toBe(200);
    }
    const all = await toldTo(boris);
    const end = (await club.as(boris).call("GET /users/{id}", { params: { id: boris.id } })).body.subscriptionEnd;
    return { heard: all.slice(0, all.length - before), end };
  };

  test.each<[Parameters<typeof set>[0], string | null]>([
    [["paid"], "payment_recorded"],
    [["overdue"], null],
    [["not_required"], "subscription_extended"],
    [["paid", "overdue"], "payment_taken_back"],
    [["paid", "not_required"], null],
    [["paid", "not_required", "overdue"], "payment_taken_back"],
    [["not_required", "overdue"], "payment_taken_back"],
    [["overdue", "paid"], "payment_recorded"],
    [["overdue", "not_required"], "subscription_extended"],
  ])("after %j", async (statuses, kind) => {
    for (const [before, isOver] of [
      [inTime(DAYS * DAY_MS), false],
      // A past subscription, or none, has no end to notify.
      [inTime(-DAYS * DAY_MS), true],
      [null, true],
    ] as const) {
      const { heard, end } = await set(statuses, before);
      const until = kind === "payment_taken_back" && isOver ? null : end;
      expect(heard.map(([told, params]) => [told, "until" in params ? params.until : "?"])).toEqual(
        kind === null ? [] : [[kind, until]],
      );
      if (kind !== null && until !== null)
        expect(Date.parse(String(until))).toBeGreaterThan(club.clock.now().getTime());
    }
  });
});

test("more time from staff is notified; less, or the same again, is not", async () => {
  const boris = await club.member();
  const until = (day: string) =>
    club.as(admin).call("PUT /users/{id}", { params: { id: boris.id }, body: { subscriptionEnd: day } });
  await until("2027-03-01");
  await until("2027-03-01");
  await until("2027-01-01");
  expect(await toldTo(boris)).toEqual([["subscription_extended", { until: "2027-03-01T23:59:59.000+03:00" }]]);
});

test("staff are notified of a new member and a new ticket, of a VIP member's ticket only admins", async () => {
  const moderator = await club.moderator();
  const [anna, vip] = [await club.member(), await club.member()];
  await club.as(admin).call("PUT /users/{id}", { params: { id: vip.id }, body: { isVip: true } });
  const open = (who: Person) =>
    club.as(who).call("POST /support/tickets", {
      body: { subject: "Не подключается", description: "С утра", category: "technical", priority: "high" },
    });
  await open(anna);
  await open(vip);
  const subjects = async (who: Person) =>
    (await inboxOf(who)).flatMap((notice) => (notice.kind === "ticket_opened" ? [notice.params.subject] : []));
  expect(await subjects(admin)).toEqual(["Не подключается", "Не подключается"]);
  expect(await subjects(moderator)).toEqual(["Не подключается"]);
});

describe("an answer from support", () => {
  const answer = (person: Person, content: string) =>
    club.as(admin).call("POST /admin/support/conversations/{userId}/messages", {
      params: { userId: person.id },
      body: { content },
    });
  const replies = async (person: Person) => (await inboxOf(person)).filter(({ kind }) => kind === "support_reply");

  test("is notified to a member who is away, once until they have looked", async () => {
    const boris = await club.member();
    await club.as(boris).call("POST /support/messages", { body: { content: "Здравствуйте" } });
    await answer(boris, "Добрый день");
    await answer(boris, "Чем помочь?");
    expect((await replies(boris)).map(({ params, readAt }) => [params, readAt])).toEqual([[{ ticketId: null }, null]]);
    await club.as(boris).call("POST /support/read", { body: { upTo: 100 } });
    expect(await unreadOf(boris), "who has read the answer has read that there is one").toBe(0);
    await answer(boris, "И ещё");
    expect(await replies(boris)).toHaveLength(2);
  });

  test("is not notified to a member with an open page: it shows there", async () => {
    const boris = await club.member();
    await club.as(boris).call("POST /support/messages", { body: { content: "Здравствуйте" } });
    const page = await listen(`${club.origin}/api/events`, { token: boris.token });
    open.push(page);
    await answer(boris, "Добрый день");
    expect(await page.next()).toMatchObject({ data: { topic: "support" } });
    expect(await replies(boris)).toEqual([]);
  });

  test("an answer that an open page did not show within a minute is notified once; one that it showed is not", async () => {
    const boris = await club.member();
    await club.as(boris).call("POST /support/messages", { body: { content: "Здравствуйте" } });
    open.push(await listen(`${club.origin}/api/events`, { token: boris.token }));
    await answer(boris, "Добрый день");
    const look = () => club.app.parts.inbox.tellOfUnseenAnswers();
    await look();
    expect(await replies(boris)).toEqual([]);
    club.clock.advance(61_000);
    await look();
    await look();
    expect(await replies(boris)).toHaveLength(1);
    const ids = (await replies(boris)).map(({ id }) => id);
    await club.as(boris).call("POST /inbox/read", { body: { ids } });
    await look();
    expect(await replies(boris), "it was told of that answer").toHaveLength(1);
    await answer(boris, "Чем помочь?");
    await club.as(boris).call("POST /support/read", { body: { upTo: 100 } });
    club.clock.advance(61_000);
    await look();
    expect(await replies(boris)).toHaveLength(1);
  });
});

test("everyone is notified of maintenance once, and its end replaces an unread beginning", async () => {
  const boris = await club.member();
  const vera = await club.member();
  const since = club.clock.now().toISOString();
  const turn = (isOn: boolean) =>
    club.transact(async (tx) => void (await club.app.parts.maintenance.set(tx, isOn, null)));
  const ofMaintenance = async (person: Person) =>
    (await toldTo(person)).filter(([kind]) => String(kind).startsWith("maintenance"));
  await turn(true);
  await turn(true);
  await club.settle();
  await club.restart();
  club.clock.advance(HOUR_MS / 2);
  await turn(false);
  await turn(false);
  await club.settle();
  for (const person of [boris, vera])
    expect(await ofMaintenance(person)).toEqual([
      ["maintenance_ended", { since: inClub(since), until: inClub(club.clock.now().toISOString()) }],
    ]);
});

test("a member's data export has their notices; they are deleted with the member, and after a year for everyone", async () => {
  admin = await club.admin();
  const [boris, vera] = [await club.member(), await club.member()];
  await notify(boris, "for the file");
  await notify(vera, "to be forgotten");
  const file = (await club.as(boris).send("GET", "/api/users/me/export")).body as { inbox: unknown[] };
  expect(file.inbox).toMatchObject([{ kind: "staff_message", params: { text: "for the file" }, readAt: null }]);
  const kept = async (person: Person) =>
    (
      await club.db
        .withTables<{ notices: { id: string; member_id: string } }>()
        .selectFrom("notices")
        .select("id")
        .where("member_id", "=", person.id)
        .execute()
    ).length;
  await club.as(admin).call("DELETE /users/{id}", { params: { id: boris.id } });
  expect([await kept(boris), await kept(vera)]).toEqual([0, 1]);
  club.clock.advance(366 * DAY_MS);
  await club.app.forgetOld();
  expect(await kept(vera)).toBe(0);
});

describe("early warnings", () => {
  test("admins are notified once a day that an interface runs out of addresses, while some are left", async () => {
    const alone = await startClub();
    try {
      const [chief, helper] = [await alone.admin(), await alone.moderator()];
      const [row] = (await alone.as(chief).call("GET /admin/servers/interfaces")).body;
      const params = { serverId: row?.serverId ?? "", id: row?.id ?? "" };
      const body = { subnet: "10.9.0.0/29" };
      expect(
        (await alone.as(chief).call("PUT /admin/wireguard/{serverId}/interfaces/{id}", { params, body })).status,
      ).toBe(200);
      const told = async (person: Person) =>
        (await alone.as(person).call("GET /inbox")).body.flatMap(({ kind, params }) =>
          kind === "addresses_low" ? [params] : [],
        );
      const addDevice = async () => {
        const member = await alone.member();
        const [services, dns] = [
          (await alone.as(member).call("GET /services")).body,
          (await alone.as(member).call("GET /dns")).body,
        ];
        return (
          await alone.as(member).call("POST /vpn/configs", {
            body: { name: "phone", deviceType: "computer", services: [services[0]?.id ?? ""], dns: dns[0]?.id ?? "" },
          })
        ).status;
      };
      for (let n = 0; n < 3; n++) expect(await addDevice()).toBe(201);
      expect(await told(chief)).toEqual([]);
      expect(await addDevice()).toBe(201);
      const first = { interface: "Interface 1", server: "Этот сервер", free: 1 };
      expect(await told(chief)).toEqual([first]);
      expect(await told(helper), "VIP members are counted in it").toEqual([]);
      // Into the next day, with the notice seen meanwhile: a staff session ends without calls.
      for (let n = 0; n < 2; n++) {
        alone.clock.advance(8 * HOUR_MS);
        expect(await told(chief)).toEqual([first]);
      }
      expect(await addDevice()).toBe(201);
      expect(await told(chief)).toEqual([{ ...first, free: 0 }, first]);
    } finally {
      await alone.stop();
    }
  });
});
