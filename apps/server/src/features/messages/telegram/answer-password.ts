import { type MemberRow, promisedRole } from "../../members/members/index.ts";
import { type Chat, type Conversation, personOf, settle, speechOf } from "./conversation.ts";

const YES = "password:yes";
const NO = "password:no";

/** /password: a link to set a new one, after a question. */
export function answerPassword(chat: Chat, conversation: Conversation): void {
  const { forMember, linking, page } = conversation;

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
    const member = await linking.find(personOf(ctx));
    if (member === undefined) return settle(ctx, say.notLinked(page));
    const link = await makePasswordLink(conversation, member);
    await settle(ctx, link === null ? say.passwordByAdmin : say.passwordLink(link));
  });

  chat.callbackQuery(NO, (ctx) => settle(ctx, speechOf(ctx).say.passwordKept));
}

/** Null if the bot may not give a link: to staff, whose accounts are worth more than a chat. */
function makePasswordLink({ transact, members, auth, page }: Conversation, { id }: MemberRow): Promise<string | null> {
  return transact(async (tx) => {
    const owner = await members.lock(tx, id);
    if (page === null || owner === undefined || promisedRole(owner) !== "user" || owner.is_active !== 1) return null;
    await auth.voidPasswordLinks(tx, owner.id);
    return (await auth.makePasswordLink(tx, owner, page)).link;
  });
}
