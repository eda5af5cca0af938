import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { Flag, Id, Time } from "./fields.ts";
import { MemberPath } from "./members.ts";

/** Where the member stands with the club's bot. */
const TelegramStatus = z.object({
  telegramConnected: z.boolean(),
  /** The club has a bot that members can link with; without one nothing of it is shown to them. */
  enabled: z.boolean(),
  /** A linked account is needed for every config but the first (decisions, section 8). */
  required: z.boolean(),
  /** The bot's username, without @. */
  botName: z.string().nullable(),
  /** What the linked account is called in Telegram: @username, or the first name. */
  account: z.string().nullable(),
  /** He has linked once and then blocked the bot: it counts as not connected until he unblocks it. */
  botBlocked: z.boolean(),
});

const AdminTelegram = z.object({
  /** The bot works, or is expected to again: a token is set and Telegram does not refuse it. */
  enabled: z.boolean(),
  /** Why it does not work now; null where it does. */
  reason: z.enum(["no_token", "wrong_token", "unreachable", "conflict", "starting"]).nullable(),
  /** Since when. */
  reasonSince: Time.nullable(),
  botName: z.string().nullable(),
  /** What is set: whether a linked account is needed for new configs. */
  required: z.boolean(),
  /** What holds now: without a bot nothing is required, whatever is set. */
  requiredNow: z.boolean(),
  /** Members whose account is linked and who have not blocked the bot. */
  connectedMembers: z.int().nonnegative(),
});

/** The messenger (user-side, section 7; decisions, section 8). */
export const telegram = {
  status: endpoint({
    method: "GET",
    path: "/auth/telegram/status",
    access: "member",
    summary: "Whether one's Telegram is linked, and whether the club asks for it",
    answer: TelegramStatus,
  }),
  generateCode: endpoint({
    method: "POST",
    path: "/auth/telegram/generate-code",
    access: "member",
    summary:
      "A code to send to the bot, valid 10 min, used once; asking again answers the same one while it has time left",
    body: z.strictObject({ userId: Id }),
    answer: z.object({ telegramCode: z.string(), deepLink: z.url(), botName: z.string(), expiresAt: Time }),
    creation: true,
    refusals: ["auth.not_yourself", "telegram.unavailable", "telegram.already_linked"],
  }),
  unlinkCode: endpoint({
    method: "GET",
    path: "/auth/telegram/unlink-code/{id}",
    access: "member",
    summary: "A code to confirm with that one's Telegram is to be unlinked, valid 10 min",
    params: MemberPath,
    answer: z.object({ code: z.string(), expiresAt: Time }),
    refusals: ["auth.not_yourself", "telegram.not_connected"],
  }),
  unlink: endpoint({
    method: "POST",
    path: "/auth/telegram/unlink",
    access: "member",
    summary: "Unlink one's Telegram with the code that was shown",
    body: z.strictObject({ userId: Id, confirmationCode: z.string().max(64) }),
    answer: z.object({ telegramConnected: z.literal(false) }),
    refusals: ["auth.not_yourself", "telegram.not_connected", "telegram.wrong_code", "telegram.code_expired"],
  }),
  settings: endpoint({
    method: "GET",
    path: "/admin/telegram",
    access: "staff",
    summary: "Whether the bot works and why not, and whether a linked account is required for new configs",
    answer: AdminTelegram,
  }),
  change: endpoint({
    method: "PUT",
    path: "/admin/telegram",
    access: "admin",
    summary: "Require a linked account for new configs, or not",
    body: z.strictObject({ required: Flag }),
    answer: AdminTelegram,
    refusals: ["telegram.no_token"],
  }),
};

export type AdminTelegramAnswer = z.output<typeof AdminTelegram>;
