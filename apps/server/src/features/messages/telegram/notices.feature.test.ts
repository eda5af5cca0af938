import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { configInput } from "../../../../testing/config-input.ts";
import { botWorks, linkTelegram, withBot } from "../../../../testing/link-telegram.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";
import {
  DOUBLE_TOKEN,
  startTelegramDouble,
  type TelegramDouble,
  type TelegramPerson,
} from "../../../../testing/telegram-double.ts";

/* The inbox's notices reach Telegram (decisions, section 8). */
const PATIENCE = { timeout: 20_000, interval: 20 };
const HOUR_MS = 3_600_000;
const annaThere: TelegramPerson = { id: 601, first_name: "Анна", language_code: "ru" };
const borisThere: TelegramPerson = { id: 602, first_name: "Boris", language_code: "en" };

let telegram: TelegramDouble;
let club: Club;
let admin: Person;
let anna: Person;
beforeEach(async () => {
  telegram = await startTelegramDouble();
  club = await startClub({ environment: withBot(telegram, DOUBLE_TOKEN) });
  // By day in the club: 15:00 in Moscow.
  club.clock.advance(Date.parse("2026-11-23T12:00:00Z") - club.clock.now().getTime());
  await botWorks(club);
  admin = await club.admin();
  anna = await club.member({ username: "anna" });
  await linkTelegram(club, telegram, anna, annaThere);
});
afterEach(async () => {
  await club.stop();
  await telegram.close();
});

const pay = async () => {
  const body = { userId: anna.id, status: "paid" as const, period: "2026-11" };
  expect((await club.as(admin).call("PUT /admin/payments/status", { body })).status).toBe(200);
};
const write = (to: Person, message: string) =>
  club.as(admin).call("POST /telegram/notify/{userId}", { params: { userId: to.id }, body: { message } });
/** Notices that this person got: the first message is the answer to linking. */
const got = (person = annaThere) =>
  telegram
    .messagesTo(person)
    .slice(1)
    .map(({ text }) => text);
const gets = (texts: readonly string[], person = annaThere) =>
  vi.waitFor(() => expect(got(person)).toEqual(texts), PATIENCE);
const told = (text: string) => `Сообщение от администрации\n\n${text}`;
const outbox = async () => (await club.as(admin).call("GET /admin/outbox")).body.telegram;
const isEmpty = () => vi.waitFor(async () => expect(await outbox()).toMatchObject({ waiting: 0, failed: 0 }), PATIENCE);
/** Staff's second factor expires after a while. */
const later = async (ms: number) => {
  club.clock.advance(ms);
  if (ms >= HOUR_MS) admin = await club.admin();
};

test("a notice is sent in the inbox's words, in the language of the chat", async () => {
  const boris = await club.member({ username: "boris" });
  await linkTelegram(club, telegram, boris, borisThere);
  await write(anna, "Завтра встреча");
  await write(boris, "Tomorrow");
  await gets([told("Завтра встреча")]);
  await gets(["A message from the club's staff\n\nTomorrow"], borisThere);
  await isEmpty();
});

test("it has a link to the page if that has a public address", async () => {
  const environment = { ...withBot(telegram, DOUBLE_TOKEN), PUBLIC_URL: "https://club.example" };
  await club.stop();
  club = await startClub({ environment });
  const vera = await club.member();
  const { members, inbox } = club.app.parts;
  await club.transact(async (tx) => {
    await members.linkMessenger(tx, vera.id, { telegramId: "603", name: "vera", language: "ru" });
    const at = club.clock.now().getTime();
    const subscription = { subscription_end: at + 60 * HOUR_MS, subscription_source: "staff" as const };
    const row = await members.lock(tx, vera.id);
    if (row !== undefined) await members.setSubscription(tx, row, subscription, { kind: "date", byId: null, at });
  });
  await inbox.remindOfEnds();
  const [message] = await vi.waitFor(() => {
    const messages = telegram.messagesTo({ id: 603, first_name: "Вера" });
    expect(messages).toHaveLength(1);
    return messages;
  }, PATIENCE);
  expect(message?.buttons).toEqual([{ text: "Открыть кабинет", url: "https://club.example" }]);
});

test("its days and times are the club's", async () => {
  await club.as(admin).call("PUT /users/{id}", {
    params: { id: anna.id },
    body: { subscriptionEnd: "2026-11-24T21:30:00Z" },
  });
  await club.app.parts.inbox.remindOfEnds();
  await gets([
    "Подписка скоро закончится\n\nДействует до 25 ноября, 23:59. Чтобы VPN не отключился, продлите её заранее.",
  ]);
});

test("notices that are off, already read in the panel, or withdrawn are not sent", async () => {
  telegram.fail((method) => method === "sendMessage");
  await write(anna, "first");
  await vi.waitFor(() => expect(telegram.calls).toContain("sendMessage"), PATIENCE);
  const [notice] = (await club.as(anna).call("GET /inbox")).body;
  await club.as(anna).call("POST /inbox/read", { body: { ids: [notice?.id ?? ""] } });
  const off = await club.as(anna).call("PUT /inbox/choices", { body: { subscription: false } });
  expect(off.body).toMatchObject({ subscription: false, devices: true });
  await pay();
  telegram.fail(null);
  await later(HOUR_MS);
  await write(anna, "second");
  await gets([told("second")]);
  await isEmpty();
});

test("a device's first connection is notified once to members who asked for it, in the panel and here", async () => {
  const boris = await club.member({ username: "boris" });
  const connects = async (who: Person, name: string) => {
    const before = new Set(club.host.peers().map(({ publicKey }) => publicKey));
    await club.as(who).call("POST /vpn/configs", { body: await configInput(club, who, { name }) });
    const key = club.host.peers().find(({ publicKey }) => !before.has(publicKey))?.publicKey ?? "";
    for (const bytes of [1, 2]) {
      club.clock.advance(10_000);
      club.host.use(key, { rx: bytes, tx: bytes }, club.clock.now().getTime());
      await club.app.parts.reconciler.readAll();
    }
  };
  expect((await club.as(anna).call("GET /inbox/choices")).body).toMatchObject({
    devices: true,
    connections: false,
  });
  await connects(anna, "first");
  await club.as(anna).call("PUT /inbox/choices", { body: { connections: true } });
  await connects(anna, "second");
  await connects(boris, "his");
  await gets([expect.stringMatching(/^Устройство second подключилось впервые\n\nЕсли это не вы, замените ключ/)]);
  for (const [who, count] of [
    [anna, 1],
    [boris, 0],
  ] as const)
    expect((await club.as(who).call("GET /inbox")).body.map(({ kind }) => kind)).toEqual(
      Array(count).fill("device_connected"),
    );
});

describe("while Telegram has trouble", () => {
  test("each chat gets its notices later, each once and in order", async () => {
    telegram.fail((method) => method === "sendMessage");
    for (const text of ["one", "two", "three"]) {
      await write(anna, text);
      await later(1);
    }
    await vi.waitFor(() => expect(telegram.calls.filter((call) => call === "sendMessage").length).toBeGreaterThan(1));
    expect(await outbox()).toMatchObject({ waiting: 3 });
    telegram.fail(null);
    await later(60_000);
    await gets(["one", "two", "three"].map(told));
    await isEmpty();
  });

  test("it waits as long as Telegram asks", async () => {
    const asked = () => telegram.calls.filter((call) => call === "sendMessage").length;
    const before = asked();
    telegram.fail("slow_down");
    await write(anna, "patience");
    await vi.waitFor(() => expect(asked()).toBe(before + 1), PATIENCE);
    const askedAt = performance.now();
    telegram.fail(null);
    await gets([told("patience")]);
    expect(performance.now() - askedAt).toBeGreaterThan(900);
  });

  test("a restart loses nothing", async () => {
    telegram.fail((method) => method === "sendMessage");
    await write(anna, "kept");
    await vi.waitFor(() => expect(telegram.calls).toContain("sendMessage"), PATIENCE);
    // Between the two panels: the first would repeat what was in flight, the second note a failure for later than the clock shows.
    await club.app.stop();
    telegram.fail(null);
    await club.restart();
    await later(60_000);
    await write(anna, "and more");
    await gets([told("kept"), told("and more")]);
  });

  test("a panel that is killed in the middle repeats what was in flight, and nothing else", async () => {
    telegram.fail("unheard");
    for (const text of ["one", "two", "three"]) await write(anna, text);
    await gets([told("one")]);
    // Telegram answers again; the call it accepted before stays without an answer.
    telegram.fail(null);
    await club.restart();
    await gets(["one", "one", "two", "three"].map(told));
    await vi.waitFor(async () => expect((await club.allRows()).get("outbox")).toEqual([]), PATIENCE);
  });

  test("a message that Telegram refuses permanently is shown to staff, and holds nobody up", async () => {
    const boris = await club.member({ username: "boris" });
    await linkTelegram(club, telegram, boris, borisThere);
    telegram.closeChat(annaThere);
    await write(anna, "lost");
    await write(boris, "Arrives");
    await gets(["A message from the club's staff\n\nArrives"], borisThere);
    await vi.waitFor(
      async () =>
        expect(await outbox()).toMatchObject({
          waiting: 0,
          failed: 1,
          reason: expect.stringContaining("chat not found"),
        }),
      PATIENCE,
    );
    expect(JSON.stringify(await outbox())).not.toContain("lost");
  });
});

test("a member who has blocked the bot counts as not connected, and gets nothing more", async () => {
  telegram.blockUnnoticed(annaThere);
  await write(anna, "one");
  const status = async () => (await club.as(anna).call("GET /auth/telegram/status")).body;
  await vi.waitFor(async () => expect(await status()).toMatchObject({ telegramConnected: false, botBlocked: true }));
  await write(anna, "two");
  await isEmpty();
  expect(telegram.calls.filter((call) => call === "sendMessage")).toHaveLength(2);
  expect((await club.as(anna).call("GET /inbox")).body).toHaveLength(2);
});

test("in the club's quiet hours it waits until morning, unless it answers an action", async () => {
  await later(9 * HOUR_MS);
  await write(anna, "night");
  const [row] = (await club.allRows()).get("outbox") ?? [];
  expect(Number(row?.not_before)).toBe(Date.parse("2026-11-24T05:00:00Z"));
  await pay();
  await vi.waitFor(() => expect(got()).toEqual([expect.stringMatching(/^Платёж за ноябрь 2026 получен/)]), PATIENCE);
  await later(8 * HOUR_MS);
  await write(anna, "morning");
  await vi.waitFor(() => expect(got().slice(1)).toEqual([told("night"), told("morning")]), PATIENCE);
});
