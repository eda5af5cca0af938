import { DAY_MS } from "@krug/domain/moment";
import { MOST_IMAGES_A_DAY } from "@krug/domain/support-rules";
import { describe, expect, test } from "vitest";
import type { Listening } from "../../../../testing/listen.ts";
import type { Person } from "../../../../testing/start-club.ts";
import {
  anna,
  answers,
  assigns,
  changes,
  club,
  conversations,
  hears,
  image,
  openSupport,
  opens,
  PNG,
  said,
  staff,
  thread,
  unread,
  writes,
} from "../../../../testing/support-club.ts";

openSupport();

describe("the chat", () => {
  test("both sides read one conversation, in the order it was written", async () => {
    const asked = await writes(anna, "Здравствуйте");
    expect(asked.status).toBe(201);
    expect(asked.body).toEqual({
      id: expect.any(String),
      sequence: 1,
      userId: anna.id,
      ticketId: null,
      content: "Здравствуйте",
      isAdmin: false,
      attachments: [],
      createdAt: club.clock.now().toISOString(),
      readAt: null,
    });
    const answered = await answers(staff, anna, "Добрый день");
    expect(answered.body).toMatchObject({ sequence: 2, userId: anna.id, isAdmin: true, authorName: "Модератор" });
    await writes(anna, { text: "Спасибо" } as never);
    expect(await said(anna)).toEqual(["Здравствуйте", "Добрый день", "Спасибо"]);
    expect((await thread(anna)).body[1]).not.toHaveProperty("authorName");
    const seen = await club
      .as(staff)
      .call("GET /admin/support/conversations/{userId}/messages", { params: { userId: "anna" } });
    expect(seen.body.map(({ content, authorName }) => [content, authorName])).toEqual([
      ["Здравствуйте", "anna"],
      ["Добрый день", "Модератор"],
      ["Спасибо", "anna"],
    ]);
  });

  test("works without a subscription, and is visible to its member only", async () => {
    const oleg = await club.member({ subscriptionEnd: null });
    expect((await writes(oleg, "Как продлить?")).status).toBe(201);
    await writes(anna, "Личное");
    expect(await said(oleg)).toEqual(["Как продлить?"]);
  });

  test("is read page by page backwards, and forwards from any message, without loss or duplicates", async () => {
    for (let n = 1; n <= 7; n++) await writes(anna, `${n}`);
    const newest = await thread(anna, { limit: 3 });
    expect(newest.body.map(({ content }) => content)).toEqual(["5", "6", "7"]);
    const before = await thread(anna, { limit: 3, cursor: newest.headers.get("x-next-cursor") });
    expect(before.body.map(({ content }) => content)).toEqual(["2", "3", "4"]);
    const first = await thread(anna, { limit: 3, cursor: before.headers.get("x-next-cursor") });
    expect(first.body.map(({ content }) => content)).toEqual(["1"]);
    expect(first.headers.get("x-next-cursor")).toBeNull();
    const since = await thread(anna, { limit: 2, after: 3 });
    expect(since.body.map(({ content }) => content)).toEqual(["4", "5"]);
    expect(await said(anna, { after: since.headers.get("x-next-cursor") })).toEqual(["6", "7"]);
    expect(await said(anna, { after: 7 })).toEqual([]);
  });

  test("simultaneous messages get sequences without gaps, whoever writes", async () => {
    const both = Array.from({ length: 20 }, (_, n) => (n % 2 ? answers(staff, anna, `${n}`) : writes(anna, `${n}`)));
    const sequences = (await Promise.all(both)).map(({ body }) => body.sequence).sort((a, b) => a - b);
    expect(sequences).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
  });

  test("a message resent after a lost answer appears once; its key works for nothing else", async () => {
    const sent = await Promise.all([1, 2, 3].map(() => writes(anna, "Один раз", "key-1")));
    expect(new Set(sent.map(({ body }) => body.id)).size).toBe(1);
    expect((await writes(anna, "Другое", "key-1")).code).toBe("request.idempotency_mismatch");
    expect((await writes(anna, "Один раз", "bad key")).code).toBe("request.invalid");
    const twice = [await answers(staff, anna, "Ответ", "key-1"), await answers(staff, anna, "Ответ", "key-1")];
    expect(twice[0]?.body.id).toBe(twice[1]?.body.id);
    expect((await answers(staff, staff, "Ответ", "key-1")).code).toBe("request.idempotency_mismatch");
    expect(await said(anna)).toEqual(["Один раз", "Ответ"]);
  });

  test.each([
    [{ content: " \n " }, "support.message_empty", "content"],
    [{}, "support.message_empty", "content"],
    [{ content: "ы".repeat(4_001) }, "support.message_too_long", "content"],
    [{ content: "x", attachments: Array(5).fill(image()) }, "support.too_many_images", "attachments"],
    [
      { attachments: [image(), image(Buffer.from("<svg/>"), "image/svg+xml")] },
      "support.image_invalid",
      "attachments.1",
    ],
    [{ attachments: ["https://example.com/a.png"] }, "support.image_invalid", "attachments.0"],
    [{ content: "x", ticketId: "00000000-0000-4000-8000-000000000000" }, "support.ticket_not_found", "ticketId"],
  ])("%# refuses an invalid message, names the field and changes nothing", async (body, code, field) => {
    const answer = await writes(anna, body);
    expect([answer.code, (answer.body as never as { error: { details: object } }).error.details]).toEqual([
      code,
      expect.objectContaining({ field }),
    ]);
    expect(await said(anna)).toEqual([]);
    expect((await conversations(staff)).body).toEqual([]);
  });
});

describe("images", () => {
  const download = (who: Person | null, path: string) =>
    fetch(`${club.origin}${path}`, who === null ? {} : { headers: { authorization: `Bearer ${who.token}` } });

  test("are redrawn, recognised by their bytes, without their files' metadata, and run nothing", async () => {
    const followed = Buffer.concat([
      PNG,
      Buffer.from("<script>secret</script>"),
      Buffer.alloc(5 * 1024 * 1024 - PNG.length - 23),
    ]);
    const { body, status } = await writes(anna, {
      attachments: [image(PNG, "text/html"), image(followed), image(), image()],
    });
    expect(status).toBe(201);
    expect(body.attachments).toHaveLength(4);
    const [small, large] = await Promise.all(body.attachments.slice(0, 2).map((path) => download(anna, path)));
    const bytesOf = async (answer: Response | undefined) =>
      Buffer.from((await answer?.arrayBuffer()) ?? new ArrayBuffer(0));
    const [one, other] = [await bytesOf(small), await bytesOf(large)];
    expect(one.subarray(0, 8)).toEqual(PNG.subarray(0, 8));
    expect(other).toEqual(one);
    expect(small?.headers.get("content-type")).toBe("image/png");
    expect(small?.headers.get("x-content-type-options")).toBe("nosniff");
    expect(small?.headers.get("content-security-policy")).toMatch(/sandbox/);
    expect(small?.headers.get("cache-control")).toBe("no-store");
  });

  test("are for the two sides only", async () => {
    const [path = ""] = (await writes(anna, { attachments: [image()] })).body.attachments;
    const [answered = ""] = (await answers(staff, anna, { attachments: [image()] })).body.attachments;
    const status = async (who: Person | null, of = path) => (await download(who, of)).status;
    expect(await status(anna)).toBe(200);
    expect(await status(anna, answered)).toBe(200);
    expect(await status(staff)).toBe(200);
    expect(await status(await club.admin())).toBe(200);
    expect(await status(await club.admin({ elevated: false }))).toBe(403);
    expect(await status(await club.member())).toBe(404);
    expect(await status(null)).toBe(401);
  });

  test("have a daily limit, which staff's answers do not use up", async () => {
    const four = { attachments: Array(4).fill(image()) as string[] };
    await answers(staff, anna, four);
    for (let sent = 0; sent < MOST_IMAGES_A_DAY; sent += 4) expect((await writes(anna, four)).status).toBe(201);
    expect((await writes(anna, { attachments: [image()] })).code).toBe("support.images_a_day");
    expect((await writes(anna, "Словами")).status).toBe(201);
    club.clock.advance(DAY_MS + 1);
    expect((await writes(anna, { attachments: [image()] })).status).toBe(201);
  });
});

describe("unseen messages", () => {
  test("are counted for both sides, by thread, until seen", async () => {
    await writes(anna, "раз");
    await writes(anna, "два");
    const { body: ticket } = await opens(anna);
    expect((await conversations(staff)).body[0]).toMatchObject({ userId: anna.id, unread: 3, openTickets: 1 });
    const reads = (body: object) =>
      club.as(staff).call("POST /admin/support/conversations/{userId}/read", {
        params: { userId: anna.id },
        body: body as never,
      });
    expect((await reads({ upTo: 1 })).body).toEqual({ unread: 2, chat: 1 });
    expect((await reads({ upTo: 99 })).body).toEqual({ unread: 1, chat: 0 });
    expect((await reads({ upTo: 99, ticketId: ticket.id })).body).toEqual({ unread: 0, chat: 0 });
    expect((await thread(anna)).body.map(({ readAt }) => readAt !== null)).toEqual([true, true]);

    expect(await unread(anna)).toEqual({ unread: 0, chat: 0 });
    await answers(staff, anna, "три");
    await answers(staff, anna, { content: "о счёте", ticketId: ticket.id });
    expect(await unread(anna)).toEqual({ unread: 2, chat: 1 });
    expect((await club.as(anna).call("GET /support/tickets")).body[0]?.unread).toBe(1);
    const sees = (body: object) => club.as(anna).call("POST /support/read", { body: body as never });
    expect((await sees({ upTo: 4 })).body).toEqual({ unread: 1, chat: 0 });
    expect((await sees({ upTo: 5, ticketId: ticket.id })).body).toEqual({ unread: 0, chat: 0 });
  });

  test("cannot be marked in another member's conversation", async () => {
    await answers(staff, anna, "раз");
    const other = await club.member();
    await club.as(other).call("POST /support/read", { body: { upTo: 99 } });
    expect(await unread(anna)).toEqual({ unread: 1, chat: 1 });
  });
});

describe("tickets", () => {
  test("are open with the defaults; the description is first in their own thread and not in the chat", async () => {
    const { body, status } = await opens(anna, { status: "open" });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(String),
      userId: anna.id,
      subject: "Счёт",
      description: "Не приходит",
      category: "general",
      priority: "medium",
      status: "open",
      unread: 0,
      createdAt: club.clock.now().toISOString(),
      updatedAt: club.clock.now().toISOString(),
    });
    await writes(anna, { content: "И ещё", ticketId: body.id });
    expect(await said(anna)).toEqual([]);
    expect(await said(anna, { ticketId: body.id })).toEqual(["Не приходит", "И ещё"]);
    expect((await club.as(anna).call("GET /support/tickets")).body.map(({ description }) => description)).toEqual([
      "Не приходит",
    ]);
  });

  test("belong to their member only", async () => {
    const { body: ticket } = await opens(anna);
    const other = await club.member();
    expect((await club.as(other).call("GET /support/tickets")).body).toEqual([]);
    expect((await thread(other, { ticketId: ticket.id })).code).toBe("support.ticket_not_found");
    expect((await writes(other, { content: "x", ticketId: ticket.id })).code).toBe("support.ticket_not_found");
    expect((await club.as(other).call("GET /support/tickets", { query: { cursor: ticket.id } })).code).toBe(
      "support.ticket_not_found",
    );
    // Nor can staff put a message for one member into another's ticket.
    expect((await answers(staff, other, { content: "x", ticketId: ticket.id })).code).toBe("support.ticket_not_found");
  });

  test("resent after a lost answer exist once", async () => {
    const [one, again] = await Promise.all([opens(anna, {}, "t-1"), opens(anna, {}, "t-1")]);
    expect(one.body.id).toBe(again.body.id);
    expect((await opens(anna, { subject: "Другое" }, "t-1")).code).toBe("request.idempotency_mismatch");
    expect((await club.as(anna).call("GET /support/tickets")).body).toHaveLength(1);
  });

  test.each([
    [{ subject: " " }, "support.subject_invalid"],
    [{ subject: "x".repeat(121) }, "support.subject_invalid"],
    [{ description: "" }, "support.description_missing"],
    [{ description: "x".repeat(4_001) }, "support.message_too_long"],
    [{ category: "other" }, "request.invalid"],
    [{ priority: "urgent" }, "request.invalid"],
    [{ status: "closed" }, "request.invalid"],
  ])("%j is refused", async (about, code) => {
    expect((await opens(anna, about)).code).toBe(code);
    expect((await club.as(anna).call("GET /support/tickets")).body).toEqual([]);
  });

  test("only go forward, by staff; a closed one accepts no more messages", async () => {
    const { body: ticket } = await opens(anna);
    club.clock.advance(60_000);
    const taken = await changes(staff, ticket.id, { status: "in_progress", assigned_to: staff.id });
    expect(taken.body).toMatchObject({
      status: "in_progress",
      username: "anna",
      assignedTo: { id: staff.id, displayName: "Модератор" },
      updatedAt: club.clock.now().toISOString(),
    });
    expect((await changes(staff, ticket.id, { status: "open" })).code).toBe("support.ticket_backwards");
    expect((await changes(staff, ticket.id, { status: "closed" })).body.status).toBe("closed");
    const before = await audited();
    expect((await changes(staff, ticket.id, { status: "closed" })).status).toBe(200);
    expect(await audited()).toBe(before);
    expect((await changes(staff, ticket.id, { status: "in_progress" })).code).toBe("support.ticket_backwards");
    expect((await writes(anna, { content: "Ещё", ticketId: ticket.id })).code).toBe("support.ticket_closed");
    expect((await answers(staff, anna, { content: "Ещё", ticketId: ticket.id })).code).toBe("support.ticket_closed");
    expect((await changes(anna, ticket.id, { status: "closed" })).code).toBe("auth.forbidden");
  });

  test("are assigned to staff only, and can be unassigned", async () => {
    const { body: ticket } = await opens(anna);
    expect((await changes(staff, ticket.id, { assignedTo: anna.id })).code).toBe("support.assignee_unknown");
    const blocked = await club.moderator({ row: { is_active: 0 } });
    expect((await changes(staff, ticket.id, { assignedTo: blocked.id })).code).toBe("support.assignee_unknown");
    expect((await changes(staff, ticket.id, { assignedTo: staff.id })).body.assignedTo?.id).toBe(staff.id);
    expect((await changes(staff, ticket.id, { assignedTo: null })).body.assignedTo).toBeNull();
  });

  test("of two who take one ticket at once the second is refused, and takes nothing", async () => {
    const { body: ticket } = await opens(anna);
    const [one, other] = [staff, await club.moderator()];
    const takes = (who: Person) =>
      changes(who, ticket.id, {
        status: "in_progress",
        assignedTo: who.id,
        expected: { status: "open", assignedTo: null },
      });
    const taken = await Promise.all([takes(one), takes(other)]);
    expect(taken.map(({ code }) => code).sort()).toEqual(["support.ticket_changed_meanwhile", undefined]);
    const winner = taken[0]?.code === undefined ? one : other;
    const [now] = (await club.as(staff).call("GET /admin/support/tickets")).body;
    expect(now).toMatchObject({ status: "in_progress", assignedTo: { id: winner.id } });
    const late = await changes(staff, ticket.id, { status: "closed", expected: { status: "open" } });
    expect(late.code).toBe("support.ticket_changed_meanwhile");
    // A colleague hidden from a moderator does not exist for them.
    const vip = await club.admin({ row: { is_vip: 1 } });
    await changes(vip, ticket.id, { assignedTo: vip.id });
    const seen = await changes(staff, ticket.id, { assignedTo: staff.id, expected: { assignedTo: null } });
    expect(seen.body.assignedTo?.id).toBe(staff.id);
  });

  const audited = async () =>
    (await club.db.withTables<{ audit: { id: string } }>().selectFrom("audit").selectAll().execute()).length;
});

describe("open pages are updated at once", () => {
  const messagesOf = async (stream: Listening, count: number) => {
    const heard: { id: string | undefined; content: string }[] = [];
    while (heard.length < count) {
      const event = await stream.next();
      if (event === undefined) break;
      heard.push({ id: event.id, content: (event.data as { content: string }).content });
    }
    return heard;
  };
  const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => `${from + n}`);

  test("a connection that breaks in the middle of 50 messages loses none and repeats none", async () => {
    const first = await hears(anna, "/support/stream");
    for (let n = 1; n <= 20; n++) await answers(staff, anna, `${n}`);
    const before = await messagesOf(first, 17);
    first.leave();
    for (let n = 21; n <= 35; n++) await answers(staff, anna, `${n}`);
    const second = await hears(anna, "/support/stream", before.at(-1)?.id);
    await Promise.all(numbers(36, 50).map((content) => answers(staff, anna, content)));
    const after = await messagesOf(second, 33);
    const heard = [...before, ...after];
    expect(heard.map(({ id }) => id)).toEqual(numbers(1, 50));
    expect(heard.map(({ content }) => content).slice(0, 35)).toEqual(numbers(1, 35));
    expect(
      heard
        .map(({ content }) => content)
        .slice(35)
        .sort(),
    ).toEqual(numbers(36, 50));
  });

  test("a first connection gets new messages, tickets included, and nothing of others", async () => {
    await writes(anna, "Старое");
    const stream = await hears(anna, "/support/stream", "nonsense");
    await writes(await club.member(), "Чужое");
    await opens(anna);
    expect(await messagesOf(stream, 1)).toEqual([{ id: "2", content: "Не приходит" }]);
  });

  test("the member's open pages: an answer, a ticket's state, what they saw in another tab", async () => {
    const { body: ticket } = await opens(anna);
    const page = await hears(anna, "/events");
    const told = { event: "changed", data: { topic: "support" }, id: undefined };
    await answers(staff, anna, "Ответ");
    expect(await page.next()).toEqual(told);
    await changes(staff, ticket.id, { status: "in_progress" });
    expect(await page.next()).toEqual(told);
    await club.as(anna).call("POST /support/read", { body: { upTo: 2 } });
    expect(await page.next()).toEqual(told);
  });

  test("staff: whose conversation changed, except a VIP member's to a moderator", async () => {
    const vip = await club.member({ row: { is_vip: 1 } });
    const admin = await club.admin();
    const [desk, wholeDesk] = [
      await hears(staff, "/admin/support/stream"),
      await hears(admin, "/admin/support/stream"),
    ];
    await writes(vip, "Здравствуйте");
    await writes(anna, "Здравствуйте");
    const told = (who: Person) => ({ event: "changed", data: { userId: who.id }, id: undefined });
    expect([await wholeDesk.next(), await wholeDesk.next()]).toEqual([told(vip), told(anna)]);
    expect(await desk.next()).toEqual(told(anna));
    await assigns(admin, vip, admin);
    await assigns(admin, anna, admin);
    expect([await wholeDesk.next(), await wholeDesk.next()]).toEqual([told(vip), told(anna)]);
    expect(await desk.next()).toEqual(told(anna));
  });

  test("until the session ends", async () => {
    const admin = await club.admin();
    const stream = await hears(anna, "/support/stream");
    await club.as(admin).call("PUT /users/{id}", { params: { id: anna.id }, body: { isActive: false } });
    expect(await stream.next()).toBeUndefined();
    const desk = await hears(staff, "/admin/support/stream");
    await club.as(staff).call("POST /auth/logout");
    expect(await desk.next()).toBeUndefined();
  });
});

test("the data export has the member's own conversation and tickets only", async () => {
  await writes(anna, { content: "Вот", attachments: [image()] });
  await opens(anna);
  await answers(staff, anna, "Спасибо");
  await writes(await club.member(), "Чужое");
  const file = (await club.as(anna).call("GET /users/me/export")).body as unknown as { support: unknown };
  expect(file.support).toEqual({
    messages: [
      { writtenAt: expect.any(String), from: "you", ticket: null, content: "Вот", images: 1 },
      { writtenAt: expect.any(String), from: "you", ticket: "Счёт", content: "Не приходит", images: 0 },
      { writtenAt: expect.any(String), from: "support", ticket: null, content: "Спасибо", images: 0 },
    ],
    tickets: [
      { subject: "Счёт", category: "general", priority: "medium", status: "open", openedAt: expect.any(String) },
    ],
  });
});

test("deleting a member deletes their conversation; what a deleted staff member had is unassigned", async () => {
  const admin = await club.admin();
  const { body: ticket } = await opens(anna);
  const [path = ""] = (await writes(anna, { content: "x", attachments: [image()] })).body.attachments;
  const other = await club.member();
  const { body: others } = await opens(other);
  await changes(staff, others.id, { assignedTo: staff.id });
  await answers(staff, other, "Ответ");
  await assigns(staff, other, staff);
  const deletes = (who: Person) => club.as(admin).call("DELETE /users/{id}", { params: { id: who.id } });
  expect((await deletes(anna)).status).toBe(204);
  expect((await club.as(admin).send("GET", path)).code).toBe("support.attachment_not_found");
  expect((await changes(admin, ticket.id, { status: "closed" })).code).toBe("support.ticket_not_found");
  expect((await conversations(admin)).body.map(({ userId }) => userId)).toEqual([other.id]);
  expect((await deletes(staff)).status).toBe(204);
  expect((await club.as(admin).call("GET /admin/support/tickets")).body[0]?.assignedTo).toBeNull();
  // A deleted one would not be named anyway: the rows show it.
  for (const table of ["support_tickets", "support_conversations"])
    expect((await club.allRows()).get(table)?.map(({ assigned_to }) => assigned_to)).toEqual([null]);
  expect(await said(other)).toEqual(["Ответ"]);
});
