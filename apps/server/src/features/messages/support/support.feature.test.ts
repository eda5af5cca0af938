import type { Api } from "@krug/contract/api";
import { DAY_MS } from "@krug/domain/moment";
import { MOST_IMAGES_A_DAY } from "@krug/domain/support-rules";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { aPicture, asDataUrl } from "../../../../testing/a-picture.ts";
import { unnamedFields } from "../../../../testing/audit-of.ts";
import { type Listening, listen } from "../../../../testing/listen.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";

let club: Club;
let anna: Person;
let staff: Person;
const streams: Listening[] = [];
beforeEach(async () => {
  club = await startClub({ localServer: "off", look: false });
  anna = await club.member({ username: "anna" });
  staff = await club.moderator({ username: "mod", row: { display_name: "Модератор" } });
});
afterEach(async () => {
  for (const stream of streams.splice(0)) stream.leave();
  await club.stop();
});

type NewMessage = Api["POST /support/messages"]["body"];
const writes = (who: Person, body: NewMessage | string, key?: string) =>
  club.as(who).call("POST /support/messages", {
    body: typeof body === "string" ? { content: body } : body,
    ...(key === undefined ? {} : { headers: { "idempotency-key": key } }),
  });
const answers = (who: Person, to: Person, body: NewMessage | string, key?: string) =>
  club.as(who).call("POST /admin/support/conversations/{userId}/messages", {
    params: { userId: to.id },
    body: typeof body === "string" ? { content: body } : body,
    ...(key === undefined ? {} : { headers: { "idempotency-key": key } }),
  });
const thread = (who: Person, query: Api["GET /support/messages"]["query"] = {}) =>
  club.as(who).call("GET /support/messages", { query });
const said = async (who: Person, query = {}) => (await thread(who, query)).body.map(({ content }) => content);
const unread = async (who: Person) => (await club.as(who).call("GET /support/unread")).body;
const conversations = (who: Person, query = {}) => club.as(who).call("GET /admin/support/conversations", { query });
const opens = (who: Person, about: object = {}, key?: string) =>
  club.as(who).call("POST /support/tickets", {
    body: { subject: "Счёт", description: "Не приходит", ...about },
    ...(key === undefined ? {} : { headers: { "idempotency-key": key } }),
  });
const changes = (who: Person, id: string, body: object) =>
  club.as(who).call("PUT /admin/support/tickets/{id}", { params: { id }, body });

const assigns = (who: Person, to: Person, holder: Person | null, expected?: Person | null) =>
  club.as(who).call("PUT /admin/support/conversations/{userId}/assignee", {
    params: { userId: to.id },
    body: {
      assignedTo: holder?.id ?? null,
      ...(expected === undefined ? {} : { expected: { assignedTo: expected?.id ?? null } }),
    },
  });
const holder = async (of: Person, by = staff) =>
  (await conversations(by, { userId: of.id })).body[0]?.assignedTo?.id ?? null;

const hears = async (who: Person, path: string, lastSeenId?: string) => {
  const stream = await listen(`${club.origin}/api${path}`, {
    token: who.token,
    ...(lastSeenId === undefined ? {} : { lastSeenId }),
  });
  streams.push(stream);
  return stream;
};

const PNG = await aPicture();
const image = (bytes = PNG, media = "image/png") => asDataUrl(bytes, media);

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
