import type { Bot } from "grammy";
import type { Update } from "grammy/types";
import { makeSendNotices } from "../outbox/index.ts";
import { answerMessages } from "./answer-messages.ts";
import { clientOf } from "./client-of.ts";
import { privateChat } from "./conversation.ts";
import { type HandleUpdate, makeHandleUpdate } from "./handle-update.ts";
import type { Telegram } from "./index.ts";
import { CALL_TIMEOUT_S, makeReadUpdates } from "./read-updates.ts";
import { makeStaffActs } from "./staff-acts.ts";
import { makeStaffClaims } from "./staff-claims.ts";
import { makeStaffCommands } from "./staff-commands.ts";
import { makeStaffMessages } from "./staff-messages.ts";
import type { StaffParts } from "./staff-parts.ts";
import { makeStaffReplies } from "./staff-replies.ts";
import { makeStaffServers } from "./staff-servers.ts";
import { makeTelegramWay } from "./telegram-way.ts";
import { makeWebhook, webhookPlace } from "./webhook.ts";

interface Parts extends StaffParts {
  telegram: Telegram;
}

/** A message that takes longer counts as not sent. */
const SEND_WITHIN_S = 15;
/** Telegram redelivers an update that was not answered in time. */
const HANDLED_KEPT = 1_000;

/** The club's bot: reads and answers messages, and sends notices. */
export function makeTelegramBot(parts: Parts) {
  const { log, telegram, sealing, publicUrl } = parts;
  const { token, apiRoot } = parts.bot;
  const place = webhookPlace(parts.bot, publicUrl, sealing);
  const stopping = new AbortController();
  const handled = new Set<number>();
  let working: Promise<unknown> = Promise.resolve();
  let opened: Promise<{ bot: Bot; handleUpdate: HandleUpdate }> | null = null;

  /** The library is loaded only if there is a bot. */
  const openBot = async (ofToken: string) => {
    const { Bot } = await import("grammy");
    const bot = new Bot(ofToken, { client: clientOf(apiRoot, CALL_TIMEOUT_S) });
    staffActs.register(privateChat(bot));
    answerMessages(bot, parts, telegram);
    return { bot, handleUpdate: makeHandleUpdate({ log, linking: telegram.linking, bot }) };
  };
  const theBot = (ofToken: string) => {
    opened ??= openBot(ofToken);
    return opened;
  };
  const openApi = async (ofToken: string) => {
    const { Api } = await import("grammy");
    return new Api(ofToken, clientOf(apiRoot, SEND_WITHIN_S));
  };

  const staffClaims = makeStaffClaims(parts);
  const staffActs = makeStaffActs(parts, telegram.linking, {
    ...staffClaims.acts,
    ...makeStaffServers(parts),
    ...makeStaffCommands(parts),
    ...makeStaffReplies(parts),
  });
  const staffMessages = makeStaffMessages(parts, staffClaims, () => openApi(token ?? ""));

  return {
    forgetOld: staffMessages.forgetOld,
    /** Starts reading and sending messages, in the background; does nothing without a token. */
    start(): void {
      if (token === null) return;
      const webhook = place && makeWebhook(place);
      const hears = theBot(token).then((open) =>
        makeReadUpdates({ ...parts, ...telegram, ...open, webhook, app: telegram.miniApp.address })(stopping.signal),
      );
      const sendNotices = async () => {
        const way = makeTelegramWay({ ...parts, linking: telegram.linking, api: await openApi(token), staffMessages });
        await makeSendNotices(parts, way)(stopping.signal);
      };
      working = Promise.all([hears, sendNotices()]).catch((error: unknown) =>
        log.error({ err: error }, "the Telegram bot could not be started"),
      );
    },
    /** The secret Telegram sends with each delivery (webhook-route.ts); null: nothing is to be delivered. */
    webhookSecret: place?.secret ?? null,
    /** Handles an update that Telegram delivered. If it throws, Telegram delivers the update again. */
    async hear(update: Update): Promise<void> {
      if (token === null || handled.has(update.update_id)) return;
      // Also before `start`: what is answered with success is not delivered again.
      const { bot, handleUpdate } = await theBot(token);
      if (!bot.isInited()) bot.botInfo = await bot.api.getMe();
      await handleUpdate(update);
      handled.add(update.update_id);
      if (handled.size > HANDLED_KEPT) for (const oldest of handled) return void handled.delete(oldest);
    },
    /** An answer in progress has a moment to finish; an unanswered update comes again at the next start. */
    async stop(): Promise<void> {
      stopping.abort();
      await working;
    },
  };
}
