import { isAheadOfTime, MINUTE_MS } from "@krug/domain/moment";
import { isStaff } from "@krug/domain/roles";
import { may } from "@krug/domain/staff-actions";
import { ELEVATION_MAX_MS, isTwoFactorCode } from "@krug/domain/two-factor-rules";
import type { Context } from "grammy";
import type { Actor } from "../../../platform/http/call.ts";
import { actingAs } from "../../../platform/http/current-request.ts";
import { Refusal, refuse } from "../../../platform/refusal.ts";
import { makeSwitchWithCode } from "../../access/maintenance/index.ts";
import { isTelegramConnected, type MemberRow } from "../../members/members/index.ts";
import { acknowledge, type Chat, personOf, settle, speechOf } from "./conversation.ts";
import type { Linking } from "./linking.ts";
import type { Act, Said, StaffParts } from "./staff-parts.ts";
import { contentOf, fetchPicture, isRepliedTo } from "./staff-replies.ts";
import * as repository from "./staff-repository.ts";
import type { Pending, WaitingAct } from "./staff-table.ts";
import { staffWords } from "./staff-words.ts";

/** What the bot asked is forgotten after this. */
const ASKED_MS = 10 * MINUTE_MS;
/** Acts by a command or a message only. */
const TYPED = ["due", "maintenance", "reply"];
/** Telegram shows pictures of these kinds; others go as files. */
const PHOTOS = ["image/png", "image/jpeg", "image/webp"];

const asksDue = (text: string) => text.toLowerCase().replace(/ ?\?$/, "") === "кто платит сегодня";

type Message = { text: string; pictures: string[]; album?: string };
/** More replies than an album has do not wait for one code. */
const MOST_WAITING = 10;

/**
 * Staff act from Telegram: by the same functions as on the page, after the same checks. The account must be theirs now, and
 * confirmed by a two-factor code within 12 hours (ADR 157).
 */
export function makeStaffActs(parts: StaffParts, linking: Linking, acts: Readonly<Record<string, Act>>) {
  const { db, transact, clock, settings, members, rights, twoFactor, audit } = parts;
  const page = parts.publicUrl?.origin ?? null;
  const switchWithCode = makeSwitchWithCode(parts);
  const nowMs = () => clock.now().getTime();

  const isConfirmed = async (member: MemberRow, telegramId: string): Promise<boolean> => {
    const row = await repository.staffRow(db, member.id);
    if (row === undefined || row.telegram_id !== telegramId || row.confirmed_at === null) return false;
    return !isAheadOfTime(row.confirmed_at, nowMs()) && nowMs() < row.confirmed_at + ELEVATION_MAX_MS;
  };
  const actorOf = ({ id, username, role }: MemberRow): Actor => ({
    memberId: id,
    username,
    role,
    sessionId: "telegram",
    tokenHash: "",
    device: null,
    elevated: true,
    passwordFresh: false,
    apiToken: null,
    via: "telegram",
  });

  /** A button's message changes if the answer says what it shows; everything else is a new message. */
  const answer = async (ctx: Context, { text, keyboard = [], inPlace }: Said): Promise<void> => {
    if (inPlace && ctx.callbackQuery !== undefined) return settle(ctx, text, keyboard);
    await ctx.reply(text, { link_preview_options: { is_disabled: true }, reply_markup: { inline_keyboard: keyboard } });
    if (ctx.callbackQuery !== undefined) await acknowledge(ctx);
  };
  const sendPicture = async (ctx: Context, bytes: Uint8Array, media: string): Promise<void> => {
    const { InputFile } = await import("grammy");
    const file = new InputFile(bytes, `picture.${media.slice("image/".length)}`);
    await (PHOTOS.includes(media) ? ctx.replyWithPhoto(file) : ctx.replyWithDocument(file));
    if (ctx.callbackQuery !== undefined) await acknowledge(ctx);
  };
  const ask = (member: MemberRow, telegramId: string, pending: Pending): Promise<void> =>
    transact((tx) => repository.ask(tx, member.id, telegramId, pending, nowMs()));
  /** Asks for a code before an act. Replies that wait for it already go first. False: the last of them is of the same album. */
  const askCode = (member: MemberRow, telegramId: string, act: WaitingAct): Promise<boolean> =>
    transact(async (tx) => {
      await members.lock(tx, member.id);
      const row = await repository.staffRow(tx, member.id);
      const isOpen = row?.telegram_id === telegramId && nowMs() < (row.pending_at ?? 0) + ASKED_MS;
      const waiting = isOpen && row.pending !== null ? waitingIn(JSON.parse(row.pending) as Pending) : [];
      const before = waiting.filter(({ text }) => text !== undefined);
      const pending = { is: "code" as const, ...act, before: before.slice(1 - MOST_WAITING) };
      await repository.ask(tx, member.id, telegramId, pending, nowMs());
      return act.album === undefined || before.at(-1)?.album !== act.album;
    });

  /** The staff member of this chat, if they may act here at all; otherwise says why not. */
  const admit = async (ctx: Context): Promise<MemberRow | null> => {
    const { language, say } = speechOf(ctx);
    const member = await linking.find(personOf(ctx));
    const { telegramStaffActs } = await settings.read(db);
    const why =
      member === undefined || !isTelegramConnected(member)
        ? say.notLinked(page)
        : member.is_active !== 1
          ? say.blocked
          : !isStaff(member.role)
            ? staffWords[language].notStaff
            : telegramStaffActs
              ? null
              : staffWords[language].switchedOff;
    if (why === null) return member ?? null;
    await answer(ctx, { text: why });
    return null;
  };

  /** Does what a button or a command names, or asks for a code first. */
  const perform = async (ctx: Context, data: string, message: Message | null = null): Promise<void> => {
    const member = await admit(ctx);
    if (member === null) return;
    const { language } = speechOf(ctx);
    const say = staffWords[language];
    const { telegramId } = personOf(ctx);
    const [name = "", argument = ""] = [data.split(":", 1)[0], data.slice(data.indexOf(":") + 1)];
    const act = acts[name];
    if (act === undefined) return;
    const actor = actorOf(member);
    try {
      if (!may(member.role, act.needs, await rights.switchedOn(db))) refuse("auth.forbidden");
      if (act.hasOwnCode !== true && !(await isConfirmed(member, telegramId))) {
        if (await askCode(member, telegramId, { act: data, ...message }))
          await answer(ctx, cancellable(say.askCode, say.cancel));
        return;
      }
      const staff = { actor, member, language, say };
      const said = await actingAs(actor, idOf(ctx), () =>
        act.run(staff, argument, {
          ask: (pending) => ask(member, telegramId, pending),
          fetchPicture: (fileId, number) => fetchPicture(ctx, parts.bot, fileId, number),
          sendPicture: (bytes, media) => sendPicture(ctx, bytes, media),
          message,
        }),
      );
      if (said !== null) await answer(ctx, said);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      await answer(ctx, { text: error.sentence(language) });
    }
  };

  const switchMaintenance = async (ctx: Context, member: MemberRow, enabled: boolean, code: string): Promise<void> => {
    const actor = actorOf(member);
    if (!may(member.role, "system.change")) refuse("auth.forbidden");
    await actingAs(actor, idOf(ctx), () => switchWithCode(actor, enabled, code));
    await transact((tx) => repository.dropPending(tx, member.id));
    const say = staffWords[speechOf(ctx).language];
    await answer(ctx, { text: enabled ? say.maintenanceIsOn : say.maintenanceIsOff });
  };

  /** The message answers what the bot asked. */
  const goOn = async (ctx: Context, member: MemberRow, pending: Pending, kept: string): Promise<void> => {
    const text = (ctx.message?.text ?? ctx.message?.caption ?? "").trim();
    const { language } = speechOf(ctx);
    const say = staffWords[language];
    const { telegramId } = personOf(ctx);
    if (pending.is === "reason") {
      if (await transact((tx) => repository.takePending(tx, member.id, kept)))
        await perform(ctx, `decline:${pending.claimId}`, { text, pictures: [] });
      return;
    }
    const code = text.replace(/\s/g, "");
    if (!isTwoFactorCode(code)) return answer(ctx, cancellable(say.codeWanted, say.cancel));
    if ((await admit(ctx)) === null) return;
    try {
      if (pending.is === "maintenance") return await switchMaintenance(ctx, member, pending.enabled, code);
      // The code counted already if this message comes again, because Telegram or the panel failed in the middle.
      if (!(await isConfirmed(member, telegramId)))
        await actingAs(actorOf(member), idOf(ctx), () =>
          twoFactor.withCode(member.id, code, async (tx) => {
            await repository.confirm(tx, member.id, telegramId, nowMs());
            await audit.record(tx, member.id, "telegram.staff_confirmed", { target: member.id });
          }),
        );
      await performAll(ctx, member, waitingIn(pending), kept);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      await answer(ctx, { text: error.sentence(language) });
    }
  };

  /** What is done waits no more, and what fails is done when the same message comes again. */
  const performAll = async (ctx: Context, member: MemberRow, all: WaitingAct[], kept: string): Promise<void> => {
    let held = kept;
    for (const [n, { act, text, pictures = [] }] of all.entries()) {
      await perform(ctx, act, text === undefined ? null : { text, pictures });
      const last = all.at(-1);
      const rest = all.slice(n + 1, -1);
      const left = n === all.length - 1 ? null : JSON.stringify({ is: "code", ...last, before: rest });
      if (!(await transact((tx) => repository.takePending(tx, member.id, held, left))) || left === null) return;
      held = left;
    }
  };

  return {
    perform,
    /** Before the answers to members: during maintenance staff work. */
    register(chat: Chat): void {
      // Others are typed, and no button has them.
      const names = Object.keys(acts)
        .filter((name) => !TYPED.includes(name))
        .join("|");
      chat.callbackQuery(new RegExp(`^(?:${names})(?::|$)`), (ctx) => perform(ctx, ctx.callbackQuery.data));
      chat.callbackQuery("staff-cancel", async (ctx) => {
        const member = await linking.find(personOf(ctx));
        if (member !== undefined) await transact((tx) => repository.dropPending(tx, member.id));
        await settle(ctx, staffWords[speechOf(ctx).language].cancelled);
      });
      const isOfStaff = async (ctx: Context) => {
        const member = await parts.members.findByTelegramId(db, personOf(ctx).telegramId);
        return member !== undefined && isStaff(member.role);
      };
      const forStaff = (act: string) => async (ctx: Context, next: () => Promise<void>) =>
        (await isOfStaff(ctx)) ? perform(ctx, act) : next();
      chat.command("due", forStaff("due"));
      chat.on("message:text").filter(({ msg }) => asksDue(msg.text), forStaff("due"));
      chat.command("maintenance", forStaff("maintenance"));
      chat.command("help", async (ctx, next) => {
        if (!(await isOfStaff(ctx))) return next();
        const { language, say } = speechOf(ctx);
        await ctx.reply(`${say.help}\n\n${staffWords[language].help}`);
      });
      chat.on("message", async (ctx, next) => {
        const to = ctx.msg.reply_to_message?.message_id;
        const answered = to === undefined ? undefined : await repository.sent(db, parts.bot, String(ctx.chat.id), to);
        if (answered === undefined || !isRepliedTo(answered)) return next();
        const content = contentOf(ctx);
        const key = `${ctx.chat.id}-${ctx.msg.message_id}`;
        if (content === null) await ctx.reply(staffWords[speechOf(ctx).language].replyWithText);
        else await perform(ctx, `reply:${answered.about_id}:${answered.subject ?? ""}:${key}`, content);
      });
      chat.on("message", async (ctx, next) => {
        const member = await parts.members.findByTelegramId(db, personOf(ctx).telegramId);
        const row = member === undefined ? undefined : await repository.staffRow(db, member.id);
        if (member === undefined || row === undefined || row.pending === null) return next();
        const isOver = nowMs() >= (row.pending_at ?? 0) + ASKED_MS || row.telegram_id !== personOf(ctx).telegramId;
        // A command is something else that they want now.
        if (isOver || ctx.msg.text?.startsWith("/") === true) {
          await transact((tx) => repository.dropPending(tx, member.id));
          return next();
        }
        await goOn(ctx, member, JSON.parse(row.pending) as Pending, row.pending);
      });
    },
  };
}

/** What goes on after a code, in its order. */
const waitingIn = (pending: Pending): WaitingAct[] =>
  pending.is === "code" ? [...(pending.before ?? []), pending] : [];

/** For the log. */
const idOf = ({ update }: Context) => `telegram:${update.update_id}`;

const cancellable = (text: string, cancel: string): Said => ({
  text,
  keyboard: [[{ text: cancel, callback_data: "staff-cancel" }]],
});
