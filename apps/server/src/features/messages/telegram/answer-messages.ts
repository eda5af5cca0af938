import type { Bot } from "grammy";
import { answerDevices } from "./answer-devices.ts";
import { answerLinking, answerOtherMessages } from "./answer-linking.ts";
import { answerLost } from "./answer-lost.ts";
import { answerPassword } from "./answer-password.ts";
import {
  type Chat,
  type Conversation,
  makeConversation,
  personOf,
  privateChat,
  speechOf,
  warn,
} from "./conversation.ts";
import type { Telegram } from "./index.ts";
import type { BotParts } from "./parts.ts";

/** The updates we request from Telegram. */
export const HEARD_UPDATES = ["message", "callback_query", "my_chat_member"] as const;

/** Registers the bot's answers, in private chats only. All of them may run twice: after a crash an update comes again. */
export function answerMessages(bot: Bot, parts: BotParts, telegram: Pick<Telegram, "linking" | "miniApp">): void {
  const chat = privateChat(bot);
  const conversation = makeConversation(parts, telegram);

  noteBlocking(chat, conversation);
  chat.command("help", (ctx) => ctx.reply(speechOf(ctx).say.help, conversation.toApp(speechOf(ctx).say)));
  // Except for what is above, everything waits for the end of maintenance, as in the panel.
  waitForMaintenance(chat, conversation);
  answerLinking(chat, conversation);
  answerDevices(chat, conversation);
  answerLost(chat, conversation);
  answerPassword(chat, conversation);
  // A button of an earlier version, below a message that stays in the chat.
  chat.on("callback_query", (ctx) => warn(ctx, speechOf(ctx).say.oldButton));
  answerOtherMessages(chat, conversation);
}

/** A member who blocks the bot counts as not connected until they unblock it. */
function noteBlocking(chat: Chat, { linking }: Conversation): void {
  chat.on("my_chat_member", async (ctx) => {
    const { status } = ctx.myChatMember.new_chat_member;
    if (status === "kicked") await linking.noteBlocked(String(ctx.from.id));
    else await linking.find(personOf(ctx));
  });
}

function waitForMaintenance(chat: Chat, { db, maintenance }: Conversation): void {
  chat.use(async (ctx, next) => {
    if (!(await maintenance.isOn(db))) return next();
    const { say } = speechOf(ctx);
    await (ctx.callbackQuery === undefined ? ctx.reply(say.maintenance) : warn(ctx, say.maintenance));
  });
}
