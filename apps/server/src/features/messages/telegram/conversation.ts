import type { Bot, Context } from "grammy";
import type { InlineKeyboardButton } from "grammy/types";
import { Refusal } from "../../../platform/refusal.ts";
import type { MemberRow } from "../../members/members/index.ts";
import { failureOf } from "./failure.ts";
import type { Telegram } from "./index.ts";
import { nameOf, type Person } from "./linking.ts";
import type { BotParts } from "./parts.ts";
import { languageOf, type Words, words } from "./words.ts";

/** What every command's answers are registered in. */
export type Chat = ReturnType<typeof privateChat>;
export const privateChat = (bot: Bot) => bot.chatType("private");

export type Keyboard = InlineKeyboardButton[][];

export const personOf = ({ from }: Context): Person => ({
  telegramId: String(from?.id),
  name: nameOf(from ?? {}),
  language: languageOf(from?.language_code),
});

export function speechOf(ctx: Context) {
  const language = languageOf(ctx.from?.language_code);
  return { language, say: words[language] };
}

/** For helpful steps that are not the answer itself. */
function unlessRefused(error: unknown): undefined {
  if (failureOf(error)?.kind !== "refused") throw error;
}

/** Stops the button's spinner. Telegram refuses that when it comes too late, as after an outage of the bot; the answer matters more. */
export const acknowledge = (ctx: Context) => ctx.answerCallbackQuery().catch(unlessRefused);

/** Answers a press with a window above the chat; if Telegram refuses that, with a message. */
export async function warn(ctx: Context, text: string): Promise<void> {
  const isShown = await ctx.answerCallbackQuery({ text, show_alert: true }).catch(unlessRefused);
  if (isShown === undefined) await ctx.reply(text);
}

/** Replaces the question's message with the answer, so that its buttons are gone; if that fails, sends a new message. */
export async function settle(ctx: Context, answer: string, keyboard?: Keyboard): Promise<void> {
  const plain = {
    link_preview_options: { is_disabled: true },
    ...(keyboard && { reply_markup: { inline_keyboard: keyboard } }),
  };
  const isShown = await ctx.editMessageText(answer, plain).catch(
    // A second press on one button: the message says so already.
    (error: unknown) => /message is not modified/.test(failureOf(error)?.reason ?? "") || unlessRefused(error),
  );
  if (isShown === undefined) await ctx.reply(answer, plain);
  await acknowledge(ctx);
}

export type Conversation = ReturnType<typeof makeConversation>;

/** What the answers to all commands share. */
export function makeConversation(parts: BotParts, { linking, miniApp }: Pick<Telegram, "linking" | "miniApp">) {
  const page = parts.publicUrl?.origin ?? null;
  const { address } = miniApp;
  /** Under an answer that leads into the club: opens the Mini App, if there is one. */
  const toApp = (say: Words) =>
    address === null ? {} : { reply_markup: { inline_keyboard: [[{ text: say.toPage, web_app: { url: address } }]] } };
  return {
    ...parts,
    linking,
    /** The club's page; null without a public address. */
    page,
    toApp,

    /** Answers a command of a linked member; everyone else is shown how to link. */
    async forMember(ctx: Context, answer: (member: MemberRow) => Promise<unknown>): Promise<void> {
      const member = await linking.find(personOf(ctx));
      await (member === undefined
        ? ctx.reply(speechOf(ctx).say.notLinked(page), toApp(speechOf(ctx).say))
        : answer(member));
    },

    /** Answers a button of a linked member; a refusal replaces the question. */
    async settleFor(ctx: Context, act: (member: MemberRow) => Promise<unknown>): Promise<void> {
      const { language, say } = speechOf(ctx);
      const member = await linking.find(personOf(ctx));
      if (member === undefined) return settle(ctx, say.notLinked(page));
      if (member.is_active !== 1) return settle(ctx, say.blocked);
      try {
        await act(member);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        await settle(ctx, error.sentence(language));
      }
    },
  };
}
