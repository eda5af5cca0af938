import { describe, expect, test } from "vitest";
import { unnamedFields } from "../../../../testing/audit-of.ts";
import type { Person } from "../../../../testing/start-club.ts";
import {
  anna,
  answers,
  assigns,
  changes,
  club,
  conversations,
  hears,
  holder,
  image,
  openSupport,
  opens,
  staff,
  thread,
  writes,
} from "../../../../testing/support-club.ts";

openSupport();

describe("the list of who waits for an answer", () => {
  const waiting = async (by = staff) =>
    (await club.as(by).call("GET /admin/support/conversations", { query: { show: "waiting" } })).body;
  const names = async (by = staff) => (await waiting(by)).map(({ username }) => username);
  const counted = async (by = staff) => (await club.as(by).call("GET /admin/support/waiting")).body.conversations;
  const write = (who: Person, content = "Не работает") => writes(who, content);
  const set = (to: Person, isWaiting: boolean, upTo: number) =>
    club.as(staff).call("PUT /admin/support/conversations/{userId}/waiting", {
      params: { userId: to.id },
      body: { waiting: isWaiting, upTo },
    });

  test("is in the order of the first unanswered message, until somebody answers; reading is not enough", async () => {
    const boris = await club.member({ username: "boris" });
    await write(anna);
    club.clock.advance(60_000);
    await write(boris);
    club.clock.advance(60_000);
    await write(anna, "Всё ещё");
    expect(await names()).toEqual(["anna", "boris"]);
    expect((await waiting())[0]?.waitingSince).toBe(new Date(club.clock.now().getTime() - 120_000).toISOString());
    await club.as(staff).call("POST /admin/support/conversations/{userId}/read", {
      params: { userId: anna.id },
      body: { upTo: 2 },
    });
    expect(await counted()).toBe(2);
    await answers(staff, anna, "Смотрим");
    expect(await names()).toEqual(["boris"]);
    club.clock.advance(60_000);
    await write(anna, "Спасибо, но нет");
    expect(await names()).toEqual(["boris", "anna"]);
    const [page] = (
      await club.as(staff).call("GET /admin/support/conversations", { query: { show: "waiting", limit: 1 } })
    ).body;
    expect(page?.username).toBe("boris");
  });

  test("leaves out messages that staff say need no answer; later ones wait, and it can be undone", async () => {
    await write(anna);
    await write(anna, "Ещё");
    expect((await set(anna, false, 1)).body.waitingSince).not.toBeNull();
    expect((await set(anna, false, 2)).body.waitingSince).toBeNull();
    expect(await names()).toEqual([]);
    expect((await set(anna, true, 2)).body.waitingSince).toBe(club.clock.now().toISOString());
    await set(anna, false, 2);
    await write(anna, "И ещё");
    expect(await names()).toEqual(["anna"]);
  });

  test("a closed ticket needs no answer, other messages do", async () => {
    const boris = await club.member({ username: "boris" });
    const opened = [(await opens(anna)).body.id, (await opens(boris)).body.id];
    club.clock.advance(60_000);
    await write(boris);
    for (const id of opened) await changes(staff, id, { status: "closed" });
    expect((await waiting()).map(({ username, waitingSince }) => [username, waitingSince])).toEqual([
      ["boris", club.clock.now().toISOString()],
    ]);
  });

  test("an answer in the chat leaves a ticket waiting, and settled messages stay settled", async () => {
    await writes(anna, "Привет");
    await set(anna, false, 1);
    club.clock.advance(60_000);
    await opens(anna);
    const asked = club.clock.now().toISOString();
    club.clock.advance(60_000);
    await answers(staff, anna, "Здравствуйте");
    expect((await waiting())[0]?.waitingSince).toBe(asked);
  });

  test("VIP members wait for admins only, in the list and in the number", async () => {
    const vip = await club.member({ username: "quiet", row: { is_vip: 1 } });
    await write(vip);
    expect([await names(), await counted()]).toEqual([[], 0]);
    const admin = await club.admin();
    expect([await names(admin), await counted(admin)]).toEqual([["quiet"], 1]);
    expect((await set(vip, false, 1)).code).toBe("member.not_found");
  });
});

describe("an assigned conversation", () => {
  test("is assigned and unassigned by anyone on staff, and shows its assignee; an unchanged assignee is not a change", async () => {
    expect((await assigns(staff, anna, staff)).code).toBe("support.conversation_not_found");
    await writes(anna, "Здравствуйте");
    const other = await club.admin({ row: { display_name: "Глава" } });
    expect(await holder(anna)).toBeNull();
    expect((await assigns(staff, anna, staff)).body).toEqual({
      assignedTo: { id: staff.id, displayName: "Модератор" },
    });
    expect(await holder(anna, other)).toBe(staff.id);
    club.clock.advance(1_000);
    await assigns(staff, anna, staff);
    expect((await assigns(staff, anna, other)).body.assignedTo?.displayName).toBe("Глава");
    club.clock.advance(1_000);
    expect((await assigns(other, anna, null)).body.assignedTo).toBeNull();
    const log = (await club.as(staff).call("GET /admin/audit")).body.filter(
      ({ action }) => action === "support.conversation_assigned",
    );
    expect(log.map(({ member, before, after }) => [member?.id, before, after]).reverse()).toEqual([
      [anna.id, { assignedTo: null }, { assignedTo: staff.id }],
      [anna.id, { assignedTo: staff.id }, { assignedTo: other.id }],
      [anna.id, { assignedTo: other.id }, { assignedTo: null }],
    ]);
    expect(await unnamedFields(club.db)).toEqual([]);
  });

  test("is assigned only to active staff who may see the member; the same with a ticket", async () => {
    const vip = await club.member({ row: { is_vip: 1 } });
    for (const who of [anna, vip]) await writes(who, "Здравствуйте");
    const admin = await club.admin();
    const hidden = await club.admin({ row: { is_vip: 1 } });
    const blocked = await club.moderator({ row: { is_active: 0 } });
    for (const nobody of [anna, blocked, hidden])
      expect((await assigns(staff, anna, nobody)).code).toBe("support.assignee_unknown");
    expect((await assigns(staff, vip, staff)).code).toBe("member.not_found");
    expect((await assigns(admin, vip, staff)).code).toBe("support.assignee_sees_not");
    const { body: ticket } = await opens(vip);
    expect((await changes(admin, ticket.id, { assignedTo: staff.id })).code).toBe("support.assignee_sees_not");
    expect((await assigns(admin, vip, admin)).status).toBe(200);
    // A colleague hidden from a moderator does not exist for them.
    expect((await assigns(admin, anna, hidden)).status).toBe(200);
    expect([await holder(anna, admin), await holder(anna)]).toEqual([hidden.id, null]);
    expect((await assigns(staff, anna, staff, null)).body.assignedTo?.id).toBe(staff.id);
  });

  test("of two who take it at once the second is refused, and takes nothing", async () => {
    await writes(anna, "Здравствуйте");
    const other = await club.moderator();
    const taken = await Promise.all([assigns(staff, anna, staff, null), assigns(other, anna, other, null)]);
    expect(taken.map(({ code }) => code).sort()).toEqual(["support.conversation_changed_meanwhile", undefined]);
    expect(await holder(anna)).toBe(taken[0]?.code === undefined ? staff.id : other.id);
  });

  test.each([
    ["loses the role", { role: "user" as const }],
    ["is blocked", { isActive: false }],
  ])("is unassigned, and so are tickets that are not closed, once its assignee %s", async (_, change) => {
    const admin = await club.admin();
    const boris = await club.member();
    for (const who of [anna, boris]) await writes(who, "Здравствуйте");
    const other = await club.moderator();
    await assigns(admin, anna, staff);
    await assigns(admin, boris, other);
    const [{ body: open }, { body: done }] = [await opens(boris), await opens(boris, { subject: "Вход" })];
    await changes(admin, open.id, { assignedTo: staff.id });
    await changes(admin, done.id, { assignedTo: staff.id, status: "closed" });
    const desk = await hears(admin, "/admin/support/stream");
    // An unrelated change unassigns nothing.
    await club.as(admin).call("PUT /users/{id}", { params: { id: staff.id }, body: { displayName: "Новое имя" } });
    expect(await holder(anna, admin)).toBe(staff.id);
    await club.as(admin).call("PUT /users/{id}", { params: { id: staff.id }, body: change });
    expect([await holder(anna, admin), await holder(boris, admin)]).toEqual([null, other.id]);
    const tickets = (await club.as(admin).call("GET /admin/support/tickets")).body;
    expect(new Map(tickets.map(({ subject, assignedTo }) => [subject, assignedTo?.id ?? null]))).toEqual(
      new Map([
        ["Счёт", null],
        ["Вход", staff.id],
      ]),
    );
    const told = [await desk.next(), await desk.next()];
    expect(told.map((event) => (event as { data: { userId: string } }).data.userId).sort()).toEqual(
      [anna.id, boris.id].sort(),
    );
    const freed = (await club.as(admin).call("GET /admin/audit")).body.filter(
      ({ action }) => action === "support.hands_freed",
    );
    expect(freed.map(({ by, member, after }) => [by?.id, member?.id, after])).toEqual([
      [admin.id, staff.id, { conversations: 1, tickets: 1 }],
    ]);
    expect(await unnamedFields(club.db)).toEqual([]);
  });

  test("is not assigned to somebody who is losing the role at that moment", async () => {
    const admin = await club.admin();
    await writes(anna, "Здравствуйте");
    for (let round = 0; round < 5; round++) {
      const leaving = await club.moderator();
      await Promise.all([
        assigns(admin, anna, leaving),
        club.as(admin).call("PUT /users/{id}", { params: { id: leaving.id }, body: { role: "user" } }),
      ]);
      expect(await holder(anna, admin)).toBeNull();
    }
  });
});

describe("staff's lists", () => {
  test("conversations: the latest message first, found by name, unseen only, page by page", async () => {
    const people = [];
    for (const username of ["boris", "vera", "gleb"]) {
      club.clock.advance(1_000);
      const person = await club.member({ username, row: { display_name: `Имя ${username}` } });
      await writes(person, `Это ${username}`);
      people.push(person);
    }
    club.clock.advance(1_000);
    await answers(staff, people[0] as Person, "Ответ");
    const names = async (query = {}) => (await conversations(staff, query)).body.map(({ username }) => username);
    expect(await names()).toEqual(["boris", "gleb", "vera"]);
    expect((await conversations(staff)).body[0]?.lastMessage).toMatchObject({ content: "Ответ", isAdmin: true });
    expect(await names({ q: "имя V" })).toEqual(["vera"]);
    expect(await names({ q: "никто" })).toEqual([]);
    await club
      .as(staff)
      .call("POST /admin/support/conversations/{userId}/read", { params: { userId: "vera" }, body: { upTo: 1 } });
    expect(await names({ show: "unread" })).toEqual(["boris", "gleb"]);
    const page = await conversations(staff, { limit: 2 });
    expect(page.body.map(({ username }) => username)).toEqual(["boris", "gleb"]);
    expect(await names({ limit: 2, cursor: page.headers.get("x-next-cursor") })).toEqual(["vera"]);
  });

  test("conversations are found by their messages, regardless of case, and show where", async () => {
    const boris = await club.member({ username: "boris" });
    await writes(anna, "Не работает на РОУТЕРЕ");
    await writes(anna, "А на телефоне да");
    await writes(boris, "100% роутер");
    await writes(boris, "Точно роутер");
    const found = async (q: string) =>
      (await conversations(staff, { q })).body.map(({ username, found }) => [username, found?.content]);
    club.clock.advance(1_000);
    expect((await found("роутер")).sort()).toEqual([
      ["anna", "Не работает на РОУТЕРЕ"],
      ["boris", "Точно роутер"],
    ]);
    expect(await found("0%")).toEqual([["boris", "100% роутер"]]);
    expect(await found("_")).toEqual([]);
    // A match by name shows no message.
    expect(await found("ANN")).toEqual([["anna", undefined]]);
    expect((await conversations(staff)).body.map((row) => row.found)).toEqual([null, null]);
  });

  test("'mine' has conversations assigned to me or with an open ticket of mine; whole lists are counted", async () => {
    const [boris, vera] = [await club.member({ username: "boris" }), await club.member({ username: "vera" })];
    const other = await club.moderator();
    for (const who of [anna, boris, vera]) await writes(who, "Здравствуйте");
    await answers(staff, boris, "Ответ");
    await assigns(staff, anna, staff);
    await assigns(other, boris, other);
    const { body: ticket } = await opens(vera, { subject: "Роутер" });
    await changes(staff, ticket.id, { assignedTo: staff.id });
    const mine = async (who: Person) =>
      (await conversations(who, { show: "mine" })).body.map(({ username }) => username).sort();
    expect([await mine(staff), await mine(other)]).toEqual([["anna", "vera"], ["boris"]]);
    const page = await conversations(staff, { limit: 1 });
    expect(page.headers.get("x-total-count")).toBe("3");
    expect((await conversations(staff, { show: "mine" })).headers.get("x-total-count")).toBe("2");

    const tickets = async (who: Person, query = {}) => {
      const answer = await club.as(who).call("GET /admin/support/tickets", { query });
      return [answer.headers.get("x-total-count"), ...answer.body.map(({ subject }) => subject)];
    };
    await opens(anna, { subject: "Оплата" });
    expect(await tickets(staff, { hands: "mine" })).toEqual(["1", "Роутер"]);
    expect(await tickets(staff, { hands: "nobody" })).toEqual(["1", "Оплата"]);
    expect(await tickets(other, { hands: "mine" })).toEqual(["0"]);
    expect(await tickets(staff, { q: "РОУТ" })).toEqual(["1", "Роутер"]);
    expect(await tickets(staff, { q: "anna" })).toEqual(["1", "Оплата"]);
    expect(await tickets(staff, { userId: vera.id, status: "open" })).toEqual(["1", "Роутер"]);
    expect((await tickets(staff, { limit: 1 }))[0]).toBe("2");
    await changes(staff, ticket.id, { status: "closed" });
    expect(await mine(staff)).toEqual(["anna"]);
  });

  test("waiting items are counted by conversation and by the state of tickets", async () => {
    const waiting = async (who: Person, query = {}) =>
      (await club.as(who).call("GET /admin/support/waiting", { query })).body;
    const none = { unread: 0, conversations: 0, tickets: { open: 0, in_progress: 0, closed: 0 } };
    expect(await waiting(staff)).toEqual(none);
    await writes(anna, "раз");
    await writes(anna, "два");
    const { body: ticket } = await opens(anna);
    await changes(staff, ticket.id, { status: "in_progress" });
    const vip = await club.member({ row: { is_vip: 1 } });
    await opens(vip);
    const admin = await club.admin();
    expect(await waiting(staff)).toEqual({
      unread: 1,
      conversations: 1,
      tickets: { open: 0, in_progress: 1, closed: 0 },
    });
    expect(await waiting(admin)).toEqual({
      unread: 2,
      conversations: 2,
      tickets: { open: 1, in_progress: 1, closed: 0 },
    });
    expect(await waiting(admin, { as: "moderator" })).toEqual(await waiting(staff));
    expect((await conversations(admin, { as: "moderator" })).body.map(({ userId }) => userId)).toEqual([anna.id]);
    for (const [ticketId, upTo] of [
      [null, 9],
      [ticket.id, 9],
    ] as const)
      await club.as(staff).call("POST /admin/support/conversations/{userId}/read", {
        params: { userId: anna.id },
        body: { upTo, ticketId },
      });
    expect((await waiting(staff)).unread).toBe(0);
  });

  test("a ticket can be assigned to any active staff, except VIP ones when a moderator asks", async () => {
    await club.moderator({ row: { is_active: 0, display_name: "Выключен" } });
    const admin = await club.admin({ row: { display_name: "Админ" } });
    await club.admin({ row: { is_vip: 1, display_name: "Важный" } });
    const names = async (who: Person) =>
      (await club.as(who).call("GET /admin/support/colleagues")).body.map(({ displayName }) => displayName);
    expect(await names(staff)).toEqual(["Админ", "Модератор"]);
    expect(await names(admin)).toEqual(["Админ", "Важный", "Модератор"]);
  });

  test("tickets: the newest first, by status, page by page", async () => {
    for (const subject of ["один", "два", "три"]) {
      club.clock.advance(1_000);
      await opens(anna, { subject });
    }
    const list = (query = {}) => club.as(staff).call("GET /admin/support/tickets", { query });
    const page = await list({ limit: 2 });
    expect(page.body.map(({ subject }) => subject)).toEqual(["три", "два"]);
    expect(page.body[0]?.unread).toBe(1);
    const rest = await list({ limit: 2, cursor: page.headers.get("x-next-cursor") });
    expect(rest.body.map(({ subject }) => subject)).toEqual(["один"]);
    await changes(staff, rest.body[0]?.id ?? "", { status: "in_progress" });
    expect((await list({ status: "in_progress" })).body.map(({ subject }) => subject)).toEqual(["один"]);
    expect((await list({ status: "open" })).body).toHaveLength(2);
  });

  test("a VIP member does not exist for a moderator: no conversation, ticket, image or page reveals them", async () => {
    const vip = await club.member({ username: "vip", row: { is_vip: 1 } });
    const admin = await club.admin();
    for (const who of [anna, vip, await club.member()]) {
      club.clock.advance(1_000);
      await writes(who, { content: "Здравствуйте", attachments: [image()] });
      await opens(who);
    }
    const { body: vipTicket } = await opens(vip, { subject: "Тайна" });
    const ofVip = { params: { userId: vip.id } };
    expect((await conversations(admin)).body).toHaveLength(3);
    expect((await conversations(staff, { q: "vip" })).body).toEqual([]);
    const pages = [await conversations(staff, { limit: 1 })];
    pages.push(await conversations(staff, { limit: 1, cursor: pages[0]?.headers.get("x-next-cursor") }));
    expect(pages.map(({ body }) => body.map(({ userId }) => userId === vip.id))).toEqual([[false], [false]]);
    expect(pages[1]?.headers.get("x-next-cursor")).toBeNull();
    const tickets = await club.as(staff).call("GET /admin/support/tickets");
    expect(tickets.body.some(({ userId }) => userId === vip.id)).toBe(false);
    expect((await changes(staff, vipTicket.id, { status: "closed" })).code).toBe("support.ticket_not_found");
    expect((await club.as(staff).call("GET /admin/support/conversations/{userId}/messages", ofVip)).code).toBe(
      "member.not_found",
    );
    expect((await answers(staff, vip, "Ответ")).code).toBe("member.not_found");
    expect(
      (await club.as(staff).call("POST /admin/support/conversations/{userId}/read", { ...ofVip, body: { upTo: 9 } }))
        .code,
    ).toBe("member.not_found");
    const [path = ""] = (await thread(vip)).body[0]?.attachments ?? [];
    expect((await club.as(staff).send("GET", path)).code).toBe("support.attachment_not_found");
    expect((await club.as(admin).send("GET", path)).status).toBe(200);
    // Nor does it reveal them as the staff member who answers.
    const vipAdmin = await club.admin({ row: { is_vip: 1 } });
    await answers(vipAdmin, anna, "Ответ");
    const { body: ticket } = await opens(anna, { subject: "Ещё" });
    await changes(vipAdmin, ticket.id, { assignedTo: vipAdmin.id });
    const seen = await club
      .as(staff)
      .call("GET /admin/support/conversations/{userId}/messages", { params: { userId: anna.id } });
    expect(seen.body.at(-1)).toMatchObject({ content: "Ответ", authorName: null });
    expect((await club.as(staff).call("GET /admin/support/tickets")).body[0]?.assignedTo).toBeNull();
  });
});
