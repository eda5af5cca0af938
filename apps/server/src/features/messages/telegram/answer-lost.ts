import type { Context } from "grammy";
import { Refusal } from "../../../platform/refusal.ts";
import type { MemberRow } from "../../members/members/index.ts";
import { type Chat, type Conversation, type Keyboard, settle, speechOf } from "./conversation.ts";
import { LOST_NO, LOST_YES } from "./lost-buttons.ts";
import type { LostDevice } from "./parts.ts";
import { sendFile } from "./send-file.ts";
import type { Words } from "./words.ts";

/** Followed by a config's id and the beginning of its key. */
const LOST_CUT = "lost-cut:";
const LOST_KEPT = "lost-kept";
/** Telegram shows no more than 100. */
const MOST_LOST = 90;

/** /lost, and the buttons under the notice of a lost device. */
export function answerLost(chat: Chat, { forMember, settleFor, giveFile, lostDevices }: Conversation): void {
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

  chat.callbackQuery(new RegExp(`^${LOST_CUT}([^:]+):(.+)$`), (ctx) =>
    settleFor(ctx, async (member) => {
      const [, id = "", seenKey = ""] = ctx.match;
      await sendLost(ctx, member, { id, name: await lostDevices.cut(member.id, id, seenKey) });
    }),
  );

  chat.callbackQuery(LOST_KEPT, (ctx) => settle(ctx, speechOf(ctx).say.lostKept));
}

const lostButtons = (devices: readonly LostDevice[], say: Words): Keyboard => [
  ...devices
    .slice(0, MOST_LOST)
    .map(({ id, name, seenKey }) => [{ text: name, callback_data: `${LOST_CUT}${id}:${seenKey}` }]),
  [{ text: say.lostNone, callback_data: LOST_KEPT }],
];
