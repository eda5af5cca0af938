import { MINUTE_MS, SECOND_MS } from "@krug/domain/moment";
import { reason } from "@krug/domain/reasons";
import type { Api } from "grammy";
import { isTelegramConnected } from "../../members/members/index.ts";
import { type Outcome, type RenderedNotice, renderNotice, type Way } from "../outbox/index.ts";
import { detailsOf, failureOf, isOfBot } from "./failure.ts";
import type { Linking } from "./linking.ts";
import { LOST_NO, LOST_YES } from "./lost-buttons.ts";
import type { StaffMessages } from "./staff-messages.ts";
import { type Words, words } from "./words.ts";

/** Telegram accepts about 30 a second from a bot (Bot API, FAQ). */
const BETWEEN_MS = SECOND_MS / 25;
const REFUSED_WAIT_MS = MINUTE_MS;
/** A message holds 4,096 characters (Bot API, sendMessage). */
const MOST_CHARACTERS = 4_000;

interface Parts {
  publicUrl: URL | null;
  linking: Linking;
  api: Api;
  staffMessages: StaffMessages;
}

/** The outbox's channel to the chats of linked members: a target is a member's id. */
export function makeTelegramWay({ publicUrl, linking, api, staffMessages }: Parts): Way {
  // Telegram refuses buttons that lead to other than public addresses.
  const page = publicUrl?.protocol === "https:" ? publicUrl.origin : null;

  const outcomeOf = async (error: unknown, telegramId: string): Promise<Outcome> => {
    const failure = failureOf(error);
    if (failure === null) throw error;
    const why = reason(isOfBot(failure) ? "telegram.unreachable" : "telegram.refused", {}, failure.reason);
    if (failure.kind === "person_gone") {
      await linking.noteBlocked(telegramId);
      return { is: "gone" };
    }
    if (!isOfBot(failure)) return { is: "refused", reason: why };
    const isOfWholeBot = failure.waitMs !== null || failure.kind !== "unreachable";
    return isOfWholeBot
      ? { is: "halted", waitMs: failure.waitMs ?? REFUSED_WAIT_MS }
      : { is: "postponed", reason: why, waitMs: null };
  };

  return {
    name: "telegram",
    betweenMs: BETWEEN_MS,
    sideBySide: 4,
    isOneService: true,
    detailsOf,
    async deliver({ member, notice, today }, signal) {
      if (member.telegram_id === null || !isTelegramConnected(member)) return { is: "sent" };
      const language = member.telegram_language ?? "ru";
      const text = messageOf(renderNotice(notice, language, today));
      const say = words[language];
      const toPage = page && { inline_keyboard: [[{ text: say.toPage, url: page }]] };
      const ofStaff = await staffMessages.keyboardOf(notice, member);
      const keyboard =
        ofStaff !== null
          ? { inline_keyboard: ofStaff }
          : notice.kind === "lost_device_reported"
            ? lostQuestion(say)
            : toPage;
      try {
        const sent = await api.sendMessage(
          member.telegram_id,
          text,
          keyboard ? { reply_markup: keyboard } : {},
          signal as never,
        );
        await staffMessages.keep(notice, member, sent.message_id);
        return { is: "sent" };
      } catch (error) {
        signal.throwIfAborted();
        return outcomeOf(error, member.telegram_id);
      }
    },
  };
}

const lostQuestion = (say: Words) => ({
  inline_keyboard: [[{ text: say.lostYes, callback_data: LOST_YES }], [{ text: say.lostNo, callback_data: LOST_NO }]],
});

function messageOf({ title, more }: RenderedNotice): string {
  const text = `${title}\n\n${more}`;
  return text.length > MOST_CHARACTERS ? `${[...text].slice(0, MOST_CHARACTERS - 1).join("")}…` : text;
}
