import { promisedRole } from "../../members/members/index.ts";
import { type Chat, type Conversation, personOf, settle, speechOf } from "./conversation.ts";
import type { Person } from "./linking.ts";

const YES = "password:yes";
const NO = "password:no";

/** /password: a link to set a new one, after a question. */
export function answerPassword(chat: Chat, conversation: Conversation): void {
  const { forMember, page } = conversation;

  chat.command("password", (ctx) =>
    forMember(ctx, (member) => {
      const { say } = speechOf(ctx);
      if (member.is_active !== 1) return ctx.reply(say.blocked);
      if (page === null || promisedRole(member) !== "user") return ctx.reply(say.passwordByAdmin);
      const buttons = [
        { text: say.passwordYes, callback_data: YES },
        { text: say.passwordNo, callback_data: NO },
      ];
      return ctx.reply(say.passwordQuestion, { reply_markup: { inline_keyboard: [buttons] } });
    }),
  );

  chat.callbackQuery(YES, async (ctx) => {
    const { say } = speechOf(ctx);
    const link = await makePasswordLink(conversation, personOf(ctx));
    if (link === undefined) return settle(ctx, say.notLinked(page));
    await settle(ctx, link === null ? say.passwordByAdmin : say.passwordLink(link));
  });

  chat.callbackQuery(NO, (ctx) => settle(ctx, speechOf(ctx).say.passwordKept));
}

/** Undefined for a stranger. Null if the bot may not give a link: to staff, whose accounts are worth more than a chat. */
function makePasswordLink(
  { transact, linking, auth, page }: Conversation,
  person: Person,
): Promise<string | null | undefined> {
  return transact(async (tx) => {
    const owner = await linking.memberOf(tx, person);
    if (owner === undefined) return undefined;
    if (page === null || promisedRole(owner) !== "user" || owner.is_active !== 1) return null;
    await auth.voidPasswordLinks(tx, owner.id);
    return (await auth.makePasswordLink(tx, owner, page)).link;
  });
}
