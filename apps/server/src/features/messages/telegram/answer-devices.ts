import { Refusal } from "../../../platform/refusal.ts";
import { acknowledge, type Chat, type Conversation, settle, speechOf } from "./conversation.ts";
import { makeDescribeStanding } from "./describe-standing.ts";
import { sendFile } from "./send-file.ts";

/** Followed by a config's id. */
const FILE_ASKED = "file:";
const FILE_YES = "file-yes:";
const FILE_NO = "file-no";
/** Buttons under the list of devices. */
const MOST_FILES = 20;

/** /status, /configs, and the files of devices, each after a question. */
export function answerDevices(chat: Chat, conversation: Conversation): void {
  const { forMember, settleFor, giveFile } = conversation;
  const describe = makeDescribeStanding(conversation);

  chat.command("status", (ctx) =>
    forMember(ctx, async (member) => ctx.reply(await describe.status(member, speechOf(ctx).language))),
  );

  chat.command("configs", (ctx) =>
    forMember(ctx, async (member) => {
      const { text, files } = await describe.configs(member, speechOf(ctx).language);
      const buttons = files
        .slice(0, MOST_FILES)
        .map(({ id, name }) => [{ text: name, callback_data: FILE_ASKED + id }]);
      await ctx.reply(text, { reply_markup: { inline_keyboard: buttons } });
    }),
  );

  chat.callbackQuery(new RegExp(`^${FILE_ASKED}(.+)$`), async (ctx) => {
    await acknowledge(ctx);
    await forMember(ctx, async (member) => {
      const { language, say } = speechOf(ctx);
      const config = await describe.withFile(member, ctx.match[1] ?? "");
      if (config === undefined) return ctx.reply(new Refusal("config.not_found").sentence(language));
      const buttons = [
        { text: say.fileYes, callback_data: FILE_YES + config.id },
        { text: say.fileNo, callback_data: FILE_NO },
      ];
      return ctx.reply(say.fileQuestion(config.name), { reply_markup: { inline_keyboard: [buttons] } });
    });
  });

  chat.callbackQuery(new RegExp(`^${FILE_YES}(.+)$`), (ctx) =>
    settleFor(ctx, async (member) => {
      const { say } = speechOf(ctx);
      const file = await giveFile(member.id, ctx.match[1] ?? "");
      await sendFile(ctx, file, say);
      await settle(ctx, say.fileSent(file.name));
    }),
  );

  chat.callbackQuery(FILE_NO, (ctx) => settle(ctx, speechOf(ctx).say.fileKept));
}
