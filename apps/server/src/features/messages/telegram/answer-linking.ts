import { codeInText } from "@krug/domain/code-in-text";
import { MINUTE_MS, SECOND_MS } from "@krug/domain/moment";
import type { Context } from "grammy";
import { type Chat, type Conversation, personOf, settle, speechOf } from "./conversation.ts";
import type { LinkOutcome } from "./linking.ts";
import type { Words } from "./words.ts";

const YES = "unlink:yes";
const NO = "unlink:no";

/** /start with or without a code, and /unlink after a question. */
export function answerLinking(chat: Chat, { linking, page, toApp, forMember }: Conversation): void {
  chat.command("start", async (ctx) => {
    if (ctx.match !== "") return linkByCode(ctx, linking, ctx.match);
    const { say } = speechOf(ctx);
    const member = await linking.find(personOf(ctx));
    await ctx.reply(
      member === undefined ? say.howToLink(page) : `${say.linkedAlready(member.username)}\n\n${say.help}`,
      toApp(say),
    );
  });

  chat.command("unlink", (ctx) =>
    forMember(ctx, (member) => {
      const { say } = speechOf(ctx);
      const buttons = [
        { text: say.unlinkYes, callback_data: YES },
        { text: say.unlinkNo, callback_data: NO },
      ];
      return ctx.reply(say.unlinkQuestion(member.username), { reply_markup: { inline_keyboard: [buttons] } });
    }),
  );

  chat.callbackQuery(YES, async (ctx) => {
    const { say } = speechOf(ctx);
    const member = await linking.unlinkAccount(personOf(ctx));
    await settle(ctx, member === undefined ? say.notLinked(page) : say.unlinked(member.username));
  });

  chat.callbackQuery(NO, (ctx) => settle(ctx, speechOf(ctx).say.stillLinked));
}

/** Whatever is not a command: a code, with or without words around it, or anything else. */
export function answerOtherMessages(chat: Chat, { linking, page, toApp }: Conversation): void {
  // The code by itself works like `/start CODE`; a code looks like one word.
  chat.hears(/^\s*([A-Za-z0-9]{6})\s*$/, (ctx) => linkByCode(ctx, linking, ctx.match[1] ?? ""));

  chat.on("message", async (ctx) => {
    const { say } = speechOf(ctx);
    const member = await linking.find(personOf(ctx));
    // Someone not linked who copied more than the code.
    const code = member === undefined ? codeInText(ctx.msg.text ?? "") : null;
    if (code !== null) return linkByCode(ctx, linking, code);
    await ctx.reply(member === undefined ? say.howToLink(page) : say.help, toApp(say));
  });
}

async function linkByCode(ctx: Context, linking: Conversation["linking"], code: string): Promise<void> {
  await ctx.reply(outcomeText(await linking.link(personOf(ctx), code), speechOf(ctx).say));
}

function outcomeText(outcome: LinkOutcome, say: Words): string {
  switch (outcome.what) {
    case "linked":
      return say.linked(outcome.username);
    case "linked_already":
      return say.linkedAlready(outcome.username);
    case "banned":
      return say.banned(Math.ceil((outcome.seconds * SECOND_MS) / MINUTE_MS));
    case "wrong_code":
      return say.wrongCode;
    case "blocked":
      return say.blocked;
    case "member_has_another":
      return say.memberHasAnother;
  }
}
