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

/** A delivery in which Vera asks for help. */
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

/** Returns the status. */
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

test("Telegram delivers messages to the bot, and is never polled", async () => {
  const { telegram } = await clubWithWebhook();
  expect(await askBot(telegram, vera, "/help")).toContain("/status");
  expect(await askBot(telegram, vera, "/status")).toContain("club.example");
  await vi.waitFor(() => expect(telegram.unread()).toBe(0), PATIENCE);
  expect(telegram.calls).not.toContain("getUpdates");
});

test("everybody but Telegram gets 'not found'; a repeated delivery is answered once", async () => {
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

test("a delivery before the bot has started is answered, because it would never come again", async () => {
  const { club, telegram } = await clubWithWebhook();
  const { parts } = club.app;
  const late = makeTelegramBot({
    ...parts,
    bot: { token: DOUBLE_TOKEN, apiRoot: telegram.apiRoot, webhook: true },
    configsOf: parts.configs.ofMember,
    giveFile: parts.configs.giveFile,
    noticeToSend: parts.inbox.noticeToSend,
    noticeOf: parts.inbox.noticeOf,
    aboutOf: parts.inbox.aboutOf,
    machines: { refresh: async () => {} },
    drainPlans: { ofServer: async () => ({ devices: 0, members: 0, keysInBrowser: 0, assigned: 0, targets: [] }) },
  });
  await late.hear(helpAsked(77));
  expect(telegram.messagesTo(vera)).toHaveLength(1);
});

test("a delivery whose answer fails comes again, and is answered then", async () => {
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

test("if Telegram cannot reach the panel it is polled instead, staff are warned, and no message is lost", async () => {
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

test("a panel without the setting removes the webhook and polls", async () => {
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
