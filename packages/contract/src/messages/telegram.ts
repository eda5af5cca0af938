import { z } from "zod";
import { SignedIn } from "../access/auth.ts";
import { endpoint } from "../endpoint.ts";
import { Flag, Id, Time } from "../fields.ts";
import { MemberPath } from "../members/members.ts";

/** The member's link with the club's bot. */
const TelegramStatus = z.object({
  telegramConnected: z.boolean(),
  /** The club has a bot members can link with; without one the panel shows nothing about it. */
  enabled: z.boolean(),
  /** Every config but the first needs a linked account (decisions, section 8). */
  required: z.boolean(),
  /** The bot's username, without @. */
  botName: z.string().nullable(),
  /** The linked account's name in Telegram: @username, or the first name. */
  account: z.string().nullable(),
  /** The member linked and then blocked the bot: not connected until they unblock it. */
  botBlocked: z.boolean(),
});

/** An account of Telegram that no member has: what links it after somebody has signed in, and its name to ask them about. */
const ToLink = z.object({ ticket: z.string(), account: z.string(), expiresAt: Time });

const AdminTelegram = z.object({
  /** The bot works, or will again: a token is set and Telegram accepts it. */
  enabled: z.boolean(),
  /** Why it does not work now, or not by its webhook; null if it does. */
  reason: z.enum(["no_token", "wrong_token", "unreachable", "conflict", "webhook_unreachable", "starting"]).nullable(),
  /** When that started. */
  reasonSince: Time.nullable(),
  botName: z.string().nullable(),
  /** The setting: whether new configs need a linked account. */
  required: z.boolean(),
  /** What applies now: without a bot nothing is required, whatever the setting. */
  requiredNow: z.boolean(),
  /** The setting: whether staff may act by the bot. */
  staffActs: z.boolean(),
  /** Members with a linked account who have not blocked the bot. */
  connectedMembers: z.int().nonnegative(),
});

/** The messenger (specification, member's side 7; decisions, section 8). */
export const telegram = {
  status: endpoint("GET /auth/telegram/status", {
    access: "member",
    scope: "profile:read",
    summary: "Whether your Telegram is linked, and whether the club requires it",
    answer: TelegramStatus,
  }),
  generateCode: endpoint("POST /auth/telegram/generate-code", {
    access: "member",
    summary: "A code to send to the bot, valid 10 min, single use; asking again returns the same one while it is valid",
    body: z.strictObject({ userId: Id }),
    // The bot sends files and password links to the linked account.
    trust: true,
    answer: z.object({ telegramCode: z.string(), deepLink: z.url(), botName: z.string(), expiresAt: Time }),
    creation: true,
    refusals: ["auth.not_yourself", "telegram.unavailable", "telegram.already_linked"],
  }),
  unlinkCode: endpoint("GET /auth/telegram/unlink-code/{id}", {
    access: "member",
    summary: "A code that confirms unlinking your Telegram, valid 10 min",
    params: MemberPath,
    answer: z.object({ code: z.string(), expiresAt: Time }),
    refusals: ["auth.not_yourself", "telegram.not_connected"],
  }),
  unlink: endpoint("POST /auth/telegram/unlink", {
    access: "member",
    summary: "Unlink your Telegram with the code shown",
    body: z.strictObject({ userId: Id, confirmationCode: z.string().max(64) }),
    answer: z.object({ telegramConnected: z.literal(false) }),
    refusals: ["auth.not_yourself", "telegram.not_connected", "telegram.wrong_code", "telegram.code_expired"],
  }),
  /** Beyond the specifications, like the next call. */
  openApp: endpoint("POST /auth/telegram/app", {
    access: "public",
    summary:
      "Sign in with what Telegram signed when the club's Mini App was opened (initData), once, within five minutes; an account that is not linked gets a ticket to link it with",
    body: z.strictObject({ initData: z.string().min(1).max(4_096) }),
    /** One of the two is null. */
    answer: z.object({ signedIn: SignedIn.nullable(), toLink: ToLink.nullable() }),
    refusals: [
      "telegram.open_again",
      "member.blocked",
      "maintenance.on",
      "security.region",
      "security.vpn",
      "security.unmet",
    ],
    duringMaintenance: true,
    whenSuperseded: true,
  }),
  linkApp: endpoint("POST /auth/telegram/app/link", {
    access: "member",
    trust: true,
    summary: "Link the Telegram account in which the Mini App was opened, by the ticket given then",
    body: z.strictObject({ ticket: z.string().min(1).max(1_024) }),
    answer: z.object({ telegramConnected: z.literal(true) }),
    refusals: ["telegram.open_again", "telegram.already_linked", "telegram.account_taken"],
  }),
  settings: endpoint("GET /admin/telegram", {
    needs: "area.enter",
    scope: "system:read",
    summary: "Whether the bot works, why not, and whether new configs need a linked account",
    answer: AdminTelegram,
  }),
  change: endpoint("PUT /admin/telegram", {
    needs: "settings.change",
    summary: "Set whether new configs need a linked account, and whether staff may act by the bot; absent fields stay",
    body: z.strictObject({ required: Flag.optional(), staffActs: Flag.optional() }),
    trust: { staffActs: true },
    answer: AdminTelegram,
    refusals: ["telegram.no_token"],
  }),
};

export type AdminTelegramAnswer = z.output<typeof AdminTelegram>;
