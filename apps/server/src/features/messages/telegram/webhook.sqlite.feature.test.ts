import { request } from "node:http";
import type { Update } from "grammy/types";
import { expect, onTestFinished, test, vi } from "vitest";
import { askBot, withBot } from "../../../../testing/link-telegram.ts";
import { startClub } from "../../../../testing/start-club.ts";
import { DOUBLE_TOKEN, startTelegramDouble } from "../../../../testing/telegram-double.ts";
import { makeTelegramBot } from "./bot.ts";

const PATIENCE = { timeout: 20_000, interval: 20 };
const ADDRESS = "https://club.example/telegram/webhook";
const vera = { id: 71, first_name: "Вера", language_code: "ru" };

async function clubWithWebhook({ reached = true } = {}) {
  const telegram = await startTelegramDouble();
  const club = await startClub({
    environment: { ...withBot(telegram, DOUBLE_TOKEN), TELEGRAM_WEBHOOK: "on", PUBLIC_URL: "https://club.example" },
  });
  if (reached) telegram.reach(() => club.origin);
  onTestFinished(async () => {
    await club.stop();
    await telegram.close();
  });
  await vi.waitFor(() => expect(telegram.webhook()?.url).toBe(ADDRESS), PATIENCE);
  return { club, telegram };
}

/** As Telegram delivers that Vera asks for help. */
const helpAsked = (update_id: number): Update => ({
  update_id,
  message: {
    message_id: 6,
    date: 0,
    chat: { ...vera, type: "private" },
    from: { ...vera, is_bot: false },
    text: "/help",
    entities: [{ type: "bot_command", offset: 0, length: 5 }],
  },
});

/** Answers the status. */
const deliver = (origin: string, body: unknown, secret?: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    const headers = {
      host: "club.example",
      "content-type": "application/json",
      ...(secret === undefined ? {} : { "x-telegram-bot-api-secret-token": secret }),
    };
    const call = request(`${origin}/telegram/webhook`, { method: "POST", headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    call.on("error", reject).end(JSON.stringify(body));
  });

test("Telegram delivers what is written to the bot, and is never asked for it", async () => {
  const { telegram } = await clubWithWebhook();
  expect(await askBot(telegram, vera, "/help")).toContain("/status");
  expect(await askBot(telegram, vera, "/status")).toContain("club.example");
  await vi.waitFor(() => expect(telegram.unread()).toBe(0), PATIENCE);
  expect(telegram.calls).not.toContain("getUpdates");
});

test("to everybody but Telegram there is nothing; what is delivered twice is answered once", async () => {
  const { club, telegram } = await clubWithWebhook();
  const update = helpAsked(5);
  const secret = telegram.webhook()?.secret ?? "";
  for (const wrong of [undefined, "", "x", `${secret.slice(0, -1)}!`])
    expect(await deliver(club.origin, update, wrong)).toBe(404);
  expect(await deliver(club.origin, { hello: 1 }, secret)).toBe(404);
  expect(await deliver(club.origin, "x".repeat(200_000), secret)).toBe(413);
  expect(telegram.messagesTo(vera)).toEqual([]);
  for (let time = 0; time < 3; time++) expect(await deliver(club.origin, update, secret)).toBe(200);
  expect(telegram.messagesTo(vera)).toHaveLength(1);
});

test("what is delivered before the bot has begun is answered, because success means that it never comes again", async () => {
  const { club, telegram } = await clubWithWebhook();
  const { parts } = club.app;
  const late = makeTelegramBot({
    ...parts,
    bot: { token: DOUBLE_TOKEN, apiRoot: telegram.apiRoot, webhook: true },
    configsOf: parts.configs.ofMember,
    giveFile: parts.configs.giveFile,
    noticeToSend: parts.inbox.noticeToSend,
  });
  await late.hear(helpAsked(77));
  expect(telegram.messagesTo(vera)).toHaveLength(1);
});

test("what an answer fails for comes again, and is answered then", async () => {
  const { telegram } = await clubWithWebhook();
  telegram.fail((method) => method === "sendMessage");
  telegram.say(vera, "/help");
  await vi.waitFor(
    () => expect(telegram.calls.filter((call) => call === "sendMessage").length).toBeGreaterThan(1),
    PATIENCE,
  );
  expect(telegram.unread()).toBe(1);
  telegram.fail(null);
  await vi.waitFor(() => expect(telegram.messagesTo(vera)).toHaveLength(1), PATIENCE);
  await vi.waitFor(() => expect(telegram.unread()).toBe(0), PATIENCE);
});

test("where Telegram cannot reach the panel it is asked instead, staff are warned, and nothing that was written is lost", async () => {
  const { club, telegram } = await clubWithWebhook({ reached: false });
  telegram.say(vera, "/help");
  await vi.waitFor(() => expect(telegram.messagesTo(vera)).toHaveLength(1), PATIENCE);
  expect(telegram.webhook()).toBe(null);
  expect(await club.app.parts.telegram.states.read(club.db)).toMatchObject({
    enabled: true,
    reason: "webhook_unreachable",
    username: telegram.username,
  });
  telegram.say(vera, "/help");
  await vi.waitFor(() => expect(telegram.messagesTo(vera)).toHaveLength(2), PATIENCE);
}, 40_000);

test("a panel without the setting takes the webhook away and asks", async () => {
  const { club, telegram } = await clubWithWebhook();
  await club.stop();
  expect(telegram.webhook()?.url).toBe(ADDRESS);
  const other = await startClub({ environment: withBot(telegram, DOUBLE_TOKEN) });
  onTestFinished(() => other.stop());
  telegram.reach(null);
  telegram.say(vera, "/help");
  await vi.waitFor(() => expect(telegram.messagesTo(vera)).toHaveLength(1), PATIENCE);
  expect(telegram.webhook()).toBe(null);
});
