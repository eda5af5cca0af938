import { SECOND_MS } from "@krug/domain/moment";
import { beforeEach, expect, test, vi } from "vitest";
import { aPicture, asDataUrl } from "../../../../testing/a-picture.ts";
import { botWorks, clubWithBot, linkTelegram } from "../../../../testing/link-telegram.ts";
import { codeOf, enabled } from "../../../../testing/second-factor.ts";
import type { Club, Person } from "../../../../testing/start-club.ts";
import type { TelegramDouble, TelegramPerson } from "../../../../testing/telegram-double.ts";

/* Staff answer support by replying to a member's message (ADR 157). */
const PATIENCE = { timeout: 20_000, interval: 20 };
const veraThere: TelegramPerson = { id: 821, first_name: "Вера", language_code: "ru" };

let telegram: TelegramDouble;
let club: Club;
let vera: Person;
let anna: Person;
let secret: string;
beforeEach(async () => {
  ({ club, telegram } = await clubWithBot({}, { localServer: "off" }));
  await botWorks(club);
  vera = await club.moderator({ row: { display_name: "Вера" } });
  ({ secret } = await enabled(club, vera));
  await linkTelegram(club, telegram, vera, veraThere);
  anna = await club.member({ row: { display_name: "Анна" } });
});

const texts = () => telegram.messagesTo(veraThere).map(({ text }) => text);
const says = (text: string | RegExp) => vi.waitFor(() => expect(texts().at(-1)).toMatch(text), PATIENCE);
/** The bot knows which message it was: a person does not reply within that moment. */
const isKept = () =>
  vi.waitFor(async () => expect((await club.allRows()).get("telegram_messages")).not.toEqual([]), PATIENCE);
const write = (content: string, more: object = {}, who = anna) =>
  club.as(who).call("POST /support/messages", { body: { content, ...more } });
const thread = async () =>
  (await club.as(anna).call("GET /support/messages")).body.map((message) => [
    message.isAdmin,
    message.content,
    message.attachments.length,
  ]);
const confirms = async () => {
  await says(/^Сначала подтвердите/);
  club.clock.advance(30 * SECOND_MS);
  telegram.say(veraThere, codeOf(club, secret));
};

test("a member's message reaches staff, and replies with text, a picture or an album reach the member once, also those before the code", async () => {
  await write("Не подключается", { attachments: [asDataUrl(await aPicture())] });
  await says("Анна пишет в поддержку\n\nНе подключается\n\nКартинок: 1, они в панели.");
  await isKept();
  telegram.reply(veraThere, "Не подключается", "Какой у вас телефон?");
  for (const text of ["Так", ""]) telegram.reply(veraThere, "Не подключается", text, await aPicture(), "album");
  await vi.waitFor(() => expect(texts().filter((text) => text.startsWith("Сначала"))).toHaveLength(2), PATIENCE);
  // The code counts, and then Telegram gives no picture: the code's message comes again.
  telegram.fail((method) => method === "getFile");
  await confirms();
  await says("Ответ отправлен: Анна.");
  telegram.fail(null);
  await vi.waitFor(() => expect(texts().filter((text) => text === "Ответ отправлен: Анна.")).toHaveLength(3), PATIENCE);
  telegram.reply(veraThere, "Не подключается", "Вот так", await aPicture());
  await vi.waitFor(async () => expect(await thread()).toHaveLength(5), PATIENCE);
  expect(await thread()).toEqual([
    [false, "Не подключается", 1],
    [true, "Какой у вас телефон?", 0],
    [true, "Так", 1],
    [true, "", 1],
    [true, "Вот так", 1],
  ]);
  const { body } = await club.as(await club.admin()).call("GET /admin/audit", { query: { action: "support" } });
  expect(body.map(({ action, by, via }) => [action, by?.displayName, via])).toEqual(
    Array(4).fill(["support.answered", "Вера", "telegram"]),
  );
  const inbox = (await club.as(vera).call("GET /inbox")).body.filter(({ kind }) => kind === "member_wrote");
  expect(inbox.map(({ readAt }) => readAt === null)).toEqual([false]);
});

test("after the club has changed its bot, a reply reaches whom its message names, not whom the former bot's message of that number named", async () => {
  const boris = await club.member({ row: { display_name: "Борис" } });
  const former = { reader_id: vera.id, kind: "member_wrote", about_id: boris.id, sent_at: club.clock.now().getTime() };
  const chat_id = String(veraThere.id);
  await club.db
    .withTables<{ telegram_messages: object }>()
    .insertInto("telegram_messages")
    .values(Array.from({ length: 200 }, (_, n) => ({ ...former, bot_id: "654321", chat_id, message_id: 1_001 + n })))
    .execute();
  telegram.say(veraThere, "/status");
  await vi.waitFor(() => expect(texts().length).toBeGreaterThan(1), PATIENCE);
  telegram.reply(veraThere, texts().at(-1) ?? "", "Это не ответ участнику");
  await says(/^Что умеет бот/);
  await write("Не подключается");
  await says(/Не подключается/);
  await vi.waitFor(
    async () =>
      expect((await club.allRows()).get("telegram_messages")).toContainEqual(
        expect.objectContaining({ about_id: anna.id }),
      ),
    PATIENCE,
  );
  telegram.reply(veraThere, "Не подключается", "Какой у вас телефон?");
  await confirms();
  await says("Ответ отправлен: Анна.");
  const all = (await club.allRows()).get("support_messages")?.map(({ content }) => content);
  expect(all).toEqual(["Не подключается", "Какой у вас телефон?"]);
});

test("a ticket is answered in the ticket, not once it is closed", async () => {
  const ticket = { subject: "Оплата", description: "Как?", category: "billing" as const, priority: "low" as const };
  const { body } = await club.as(anna).call("POST /support/tickets", { body: ticket });
  await says(/^Новое обращение: Анна/);
  await isKept();
  telegram.reply(veraThere, "Новое обращение", "Картой");
  await confirms();
  await says("Ответ отправлен: Анна.");
  const inTicket = await club.as(anna).call("GET /support/messages", { query: { ticketId: body.id } });
  expect(inTicket.body.map(({ content }) => content)).toEqual(["Как?", "Картой"]);
  await club.as(vera).call("PUT /admin/support/tickets/{id}", { params: { id: body.id }, body: { status: "closed" } });
  telegram.reply(veraThere, "Новое обращение", "И ещё");
  await says(/закрыт/);
});

test("a VIP member's message reaches no moderator, and a deleted member's is removed from the chat", async () => {
  const vip = await club.member({ row: { display_name: "Тайна", is_vip: 1 } });
  await write("Секрет", {}, vip);
  await write("Привет");
  await says(/Привет/);
  expect(texts().filter((text) => /Тайна|Секрет/.test(text))).toEqual([]);
  const admin = await club.admin();
  await club.as(admin).call("DELETE /users/{id}", { params: { id: anna.id } });
  await vi.waitFor(() => expect(texts().filter((text) => /Анна|Привет/.test(text))).toEqual([]), PATIENCE);
});
