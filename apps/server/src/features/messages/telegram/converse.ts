import { codeInText } from "@krug/domain/code-in-text";
import { MINUTE_MS, SECOND_MS } from "@krug/domain/moment";
import type { Bot, Context } from "grammy";
import { Refusal } from "../../../platform/refusal.ts";
import { type MemberRow, promisedRole } from "../../members/members/index.ts";
import { makeDescribeStanding } from "./describe-standing.ts";
import { failureOf } from "./failure.ts";
import type { Linking, LinkOutcome, Person } from "./linking.ts";
import { LOST_NO, LOST_YES } from "./lost-buttons.ts";
import type { BotParts, LostDevice } from "./parts.ts";
import { sendFile } from "./send-file.ts";
import { languageOf, type Words, words } from "./words.ts";

/** The updates we request from Telegram. */
export const HEARD_UPDATES = ["message", "callback_query", "my_chat_member"] as const;

const YES = "unlink:yes";
const NO = "unlink:no";
const PASSWORD_YES = "password:yes";
const PASSWORD_NO = "password:no";
/** Followed by a config's id. */
const FILE_ASKED = "file:";
const FILE_YES = "file-yes:";
const FILE_NO = "file-no";
/** Buttons under the list of devices. */
const MOST_FILES = 20;
/** Followed by a config's id and the beginning of its key. */
const LOST_CUT = "lost-cut:";
const LOST_KEPT = "lost-kept";
/** Telegram shows no more than 100. */
const MOST_LOST = 90;

type Keyboard = { text: string; callback_data: string }[][];

/** Registers the bot's answers, in private chats only. All of them may run twice: after a crash an update comes again. */
export function makeConverse(parts: BotParts, linking: Linking) {
  const { db, transact, publicUrl, maintenance, members, auth, giveFile, lostDevices } = parts;
  const describe = makeDescribeStanding(parts);
  const page = publicUrl?.origin ?? null;

  const personOf = ({ from }: Context): Person => ({
    telegramId: String(from?.id),
    name: from?.username === undefined ? (from?.first_name ?? "") : `@${from.username}`,
    language: languageOf(from?.language_code),
  });
  const speechOf = (ctx: Context) => {
    const language = languageOf(ctx.from?.language_code);
    return { language, say: words[language] };
  };
  /** For linked members; everyone else is shown how to link. */
  const forMember = async (ctx: Context, answer: (member: MemberRow) => Promise<unknown>) => {
    const member = await linking.find(personOf(ctx));
    await (member === undefined ? ctx.reply(speechOf(ctx).say.notLinked(page)) : answer(member));
  };
  const takeCode = async (ctx: Context, code: string) => {
    const { say } = speechOf(ctx);
    await ctx.reply(outcomeText(await linking.link(personOf(ctx), code), say));
  };
  /**
   * Stops the button's spinner. Telegram refuses that when it comes too late, as after an outage of the bot; the answer matters
   * more.
   */
  const acknowledge = (ctx: Context) => ctx.answerCallbackQuery().catch(unlessRefused);
  /** Replaces the question's message with the answer, so that its buttons are gone; if that fails, sends a new message. */
  const settle = async (ctx: Context, answer: string, keyboard?: Keyboard) => {
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
  };

  const lostButtons = (devices: readonly LostDevice[], say: Words): Keyboard => [
    ...devices
      .slice(0, MOST_LOST)
      .map(({ id, name, seenKey }) => [{ text: name, callback_data: `${LOST_CUT}${id}:${seenKey}` }]),
    [{ text: say.lostNone, callback_data: LOST_KEPT }],
  ];
  /** The old key is cut; now sends the new file, if it can be written. */
  const sendLost = async (ctx: Context, member: MemberRow, device: Pick<LostDevice, "id" | "name">) => {
    const { language, say } = speechOf(ctx);
    try {
      await sendFile(ctx, await giveFile(member.id, device.id), say);
      await settle(ctx, say.lostCut(device.name));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      await settle(ctx, `${say.lostCutOnly(device.name)} ${error.sentence(language)}`);
    }
  };
  /** For the linked member; a refusal replaces the question. */
  const settleFor = async (ctx: Context, act: (member: MemberRow) => Promise<unknown>) => {
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
  };

  /** Null if the bot may not give a link: to staff, whose accounts are worth more than a chat. */
  const passwordLink = (member: MemberRow): Promise<string | null> =>
    transact(async (tx) => {
      const owner = await members.lock(tx, member.id);
      if (page === null || owner === undefined || promisedRole(owner) !== "user" || owner.is_active !== 1) return null;
      await auth.voidPasswordLinks(tx, owner.id);
      return (await auth.makePasswordLink(tx, owner, page)).link;
    });

  return (bot: Bot): void => {
    const chat = bot.chatType("private");

    chat.on("my_chat_member", async (ctx) => {
      const { status } = ctx.myChatMember.new_chat_member;
      if (status === "kicked") await linking.noteBlocked(String(ctx.from.id));
      else await linking.find(personOf(ctx));
    });

    chat.command("help", (ctx) => ctx.reply(speechOf(ctx).say.help));

    // Except for the hints above everything waits for the end of maintenance, as in the panel.
    chat.use(async (ctx, next) => {
      if (!(await maintenance.isOn(db))) return next();
      const { say } = speechOf(ctx);
      if (ctx.callbackQuery === undefined) return void (await ctx.reply(say.maintenance));
      const isShown = await ctx.answerCallbackQuery({ text: say.maintenance, show_alert: true }).catch(unlessRefused);
      if (isShown === undefined) await ctx.reply(say.maintenance);
    });

    chat.command("start", async (ctx) => {
      if (ctx.match !== "") return takeCode(ctx, ctx.match);
      const { say } = speechOf(ctx);
      const member = await linking.find(personOf(ctx));
      await ctx.reply(
        member === undefined ? say.howToLink(page) : `${say.linkedAlready(member.username)}\n\n${say.help}`,
      );
    });
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
    chat.callbackQuery(FILE_NO, (ctx) => settle(ctx, speechOf(ctx).say.fileKept));
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
    chat.command("lost", (ctx) =>
      forMember(ctx, async (member) => {
        const { say } = speechOf(ctx);
        if (member.is_active !== 1) return ctx.reply(say.blocked);
        const devices = await lostDevices.devicesOf(member.id);
        if (devices.length === 0) return ctx.reply(say.noDevices);
        return ctx.reply(say.lostWhich, { reply_markup: { inline_keyboard: lostButtons(devices, say) } });
      }),
    );
    chat.callbackQuery(LOST_YES, (ctx) =>
      settleFor(ctx, async (member) => {
        const { say } = speechOf(ctx);
        const outcome = await lostDevices.confirm(member.id);
        if (outcome.is === "cut") return sendLost(ctx, member, outcome.device);
        if (outcome.is === "choose") return settle(ctx, say.lostWhich, lostButtons(outcome.devices, say));
        return settle(ctx, outcome.is === "over" ? say.lostOver : say.lostNothing);
      }),
    );
    chat.callbackQuery(LOST_NO, (ctx) =>
      settleFor(ctx, async (member) => {
        await lostDevices.decline(member.id);
        await settle(ctx, speechOf(ctx).say.lostDeclined);
      }),
    );
    chat.callbackQuery(LOST_KEPT, (ctx) => settle(ctx, speechOf(ctx).say.lostKept));
    chat.callbackQuery(new RegExp(`^${LOST_CUT}([^:]+):(.+)$`), (ctx) =>
      settleFor(ctx, async (member) => {
        const [, id = "", seenKey = ""] = ctx.match;
        await sendLost(ctx, member, { id, name: await lostDevices.cut(member.id, id, seenKey) });
      }),
    );
    chat.command("password", (ctx) =>
      forMember(ctx, (member) => {
        const { say } = speechOf(ctx);
        if (member.is_active !== 1) return ctx.reply(say.blocked);
        if (page === null || promisedRole(member) !== "user") return ctx.reply(say.passwordByAdmin);
        const buttons = [
          { text: say.passwordYes, callback_data: PASSWORD_YES },
          { text: say.passwordNo, callback_data: PASSWORD_NO },
        ];
        return ctx.reply(say.passwordQuestion, { reply_markup: { inline_keyboard: [buttons] } });
      }),
    );
    chat.callbackQuery(PASSWORD_YES, async (ctx) => {
      const { say } = speechOf(ctx);
      const member = await linking.find(personOf(ctx));
      if (member === undefined) return settle(ctx, say.notLinked(page));
      const link = await passwordLink(member);
      await settle(ctx, link === null ? say.passwordByAdmin : say.passwordLink(link));
    });
    chat.callbackQuery(PASSWORD_NO, (ctx) => settle(ctx, speechOf(ctx).say.passwordKept));
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

    // The code by itself works like `/start CODE`; a code looks like one word.
    chat.hears(/^\s*([A-Za-z0-9]{6})\s*$/, (ctx) => takeCode(ctx, ctx.match[1] ?? ""));
    chat.on("message", async (ctx) => {
      const { say } = speechOf(ctx);
      const member = await linking.find(personOf(ctx));
      // Someone not linked who copied more than the code.
      const code = member === undefined ? codeInText(ctx.msg.text ?? "") : null;
      if (code !== null) return takeCode(ctx, code);
      await ctx.reply(member === undefined ? say.howToLink(page) : say.help);
    });
  };
}

/** For helpful steps that are not the answer itself. */
function unlessRefused(error: unknown): undefined {
  if (failureOf(error)?.kind !== "refused") throw error;
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
