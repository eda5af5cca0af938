import type { NoticeAnswer } from "@krug/contract/messages/inbox";
import type { Context } from "grammy";
import { answerBytes } from "../../../platform/answer-bytes.ts";
import { refuse } from "../../../platform/refusal.ts";
import type { Act, StaffParts } from "./staff-parts.ts";

/** As the panel accepts (decisions, section 10). */
const MOST_BYTES = 5 * 1024 * 1024;
const FETCH_WITHIN_MS = 15_000;

const REPLIED_TO = ["member_wrote", "ticket_opened"] as const;
type RepliedTo = Extract<NoticeAnswer, { kind: (typeof REPLIED_TO)[number] }>;
/** Whether a reply to this notice answers the member. */
export function isRepliedTo(notice: NoticeAnswer): notice is RepliedTo;
export function isRepliedTo(sent: { kind: string }): boolean;
export function isRepliedTo({ kind }: { kind: string }): boolean {
  return REPLIED_TO.some((each) => each === kind);
}

/** A reply to a member's message is staff's answer to it. */
export function makeStaffReplies({ support, members, db }: StaffParts): Record<string, Act> {
  return {
    reply: {
      needs: "support.answer",
      async run({ actor, say }, argument, { message, fetchPicture }) {
        const [member = "", ticket = "", key = ""] = argument.split(":");
        if (message === null) return null;
        const attachments: string[] = [];
        for (const [n, fileId] of message.pictures.entries()) attachments.push(await fetchPicture(fileId, n + 1));
        const wish = { content: message.text, attachments, ...(ticket === "" ? {} : { ticketId: ticket }) };
        // The key lets a message that comes again after a crash be answered once.
        await support.write(actor, { member, asStaff: true }, wish, `telegram-${key}`);
        return { text: say.answered((await members.find(db, member))?.display_name ?? "") };
      },
    },
  };
}

/** The text of a message and its picture; null if it has neither, like a voice message. */
export function contentOf({ message }: Context): { text: string; pictures: string[]; album?: string } | null {
  const file = message?.document;
  const picture = message?.photo?.at(-1) ?? (file?.mime_type?.startsWith("image/") === true ? file : undefined);
  const text = message?.text ?? message?.caption ?? "";
  if (picture === undefined && text === "") return null;
  const album = message?.media_group_id;
  return { text, pictures: picture === undefined ? [] : [picture.file_id], ...(album === undefined ? {} : { album }) };
}

/** Fetches a picture from Telegram, as a data URL. The address holds the bot's token: it is in no error. */
export async function fetchPicture(
  ctx: Context,
  bot: { token: string | null; apiRoot: string },
  fileId: string,
  number: number,
): Promise<string> {
  const { file_path: path, file_size: size = 0 } = await ctx.api.getFile(fileId);
  const invalid = () => refuse("support.image_invalid", { field: `attachments.${number - 1}`, number });
  if (path === undefined || size > MOST_BYTES) return invalid();
  const answer = await fetch(`${bot.apiRoot}/file/bot${bot.token}/${path}`, {
    signal: AbortSignal.timeout(FETCH_WITHIN_MS),
    redirect: "error",
  }).catch(() => null);
  if (answer === null || !answer.ok) throw new Error("Telegram did not give a picture");
  const bytes = await answerBytes(answer, MOST_BYTES);
  if (bytes === null) return invalid();
  return `data:image/png;base64,${bytes.toString("base64")}`;
}
