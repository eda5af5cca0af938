import { setTimeout as wait } from "node:timers/promises";
import type { Bot } from "grammy";
import type { MenuButton } from "grammy/types";
import { isTroubled } from "../../../platform/database/trouble.ts";
import { retryWaitMs } from "../../../platform/jobs.ts";
import type { Platform } from "../../../platform/platform.ts";
import { HEARD_UPDATES } from "./answer-messages.ts";
import type { BotStates } from "./bot-state.ts";
import { detailsOf, failureOf, isOfBot } from "./failure.ts";
import { causeOf, type HandleUpdate } from "./handle-update.ts";
import type { Webhook } from "./webhook.ts";
import { words } from "./words.ts";

const LEASE = "telegram";
/** How long Telegram holds a poll that it has no answer to. */
const POLL_S = 25;
/** A call that takes longer has failed. */
export const CALL_TIMEOUT_S = 35;
/** Longer than a call, so that the panel waiting for an answer keeps the lease. */
const LEASE_MS = 60_000;
const LEASE_LOOK_MS = 5_000;
const LONGEST_WAIT_MS = 60_000;
/** Both end within the time that a part of the panel has to stop. */
const ANSWER_WITHIN_MS = 500;
const CONFIRM_WITHIN_MS = 500;

interface Parts extends Pick<Platform, "leases" | "log"> {
  states: BotStates;
  /** Null: it is not wanted. */
  webhook: Webhook | null;
  bot: Bot;
  handleUpdate: HandleUpdate;
  /** The address of the Mini App; null if the club has none. */
  app: string | null;
}

/**
 * Polls Telegram for updates, unless it can deliver them itself (webhook.ts), and handles them one after another, until the
 * signal. Of the panels that share a database only the holder of the lease polls. An update counts as taken once it was handled:
 * what a crash, a silent Telegram or a restart interrupts comes again.
 */
export function makeReadUpdates({ leases, log, states, webhook, bot, handleUpdate, app }: Parts) {
  return async (signal: AbortSignal): Promise<void> => {
    // On stop a poll is aborted at once, an answer after a moment: unconfirmed, it would be given twice.
    const answering = new AbortController();
    signal.addEventListener("abort", () => setTimeout(() => answering.abort(), ANSWER_WITHIN_MS).unref());
    bot.api.config.use((previous, method, payload, own) =>
      previous(method, payload, own ?? ((method === "getUpdates" ? signal : answering.signal) as never)),
    );
    let introduced = false;
    let next = 0;
    let failures = 0;

    const introduce = async () => {
      bot.botInfo = await bot.api.getMe();
      introduced = true;
      // The bot's menu; the bot works without it too.
      for (const [language, { commands }] of Object.entries(words)) {
        const list = Object.entries(commands).map(([command, description]) => ({ command, description }));
        await bot.api.setMyCommands(list, language === "ru" ? {} : { language_code: "en" }).catch(() => {});
      }
      // One for all languages, so the club's name.
      const menu_button: MenuButton =
        app === null ? { type: "commands" } : { type: "web_app", text: "Круг", web_app: { url: app } };
      await bot.api.setChatMenuButton({ menu_button }).catch(() => {});
    };

    /** Returns how long to wait before the next turn, ms. */
    const turn = async (): Promise<number> => {
      if (!(await leases.take(LEASE, LEASE_MS))) {
        introduced = false;
        webhook?.forget();
        states.forget();
        return LEASE_LOOK_MS;
      }
      // The first answer must come at once: only it shows that the bot works.
      const timeout = introduced && failures === 0 ? POLL_S : 0;
      if (!introduced) await introduce();
      const deliveredMs = await webhook?.look(bot.api);
      if (typeof deliveredMs === "number") {
        next = 0;
        await states.works(bot.botInfo.username);
        return deliveredMs;
      }
      const updates = await bot.api.getUpdates({ offset: next, timeout, allowed_updates: HEARD_UPDATES });
      await states.works(bot.botInfo.username, webhook === null ? null : "webhook_unreachable");
      for (const update of updates) {
        // Answers may have taken long: Telegram gives the rest to the current holder of the lease.
        if (signal.aborted || !(await leases.take(LEASE, LEASE_MS))) break;
        await handleUpdate(update);
        next = update.update_id + 1;
      }
      return 0;
    };

    while (!signal.aborted) {
      let waitMs: number;
      try {
        waitMs = await turn();
        failures = 0;
      } catch (thrown) {
        if (signal.aborted) break;
        failures += 1;
        const error = causeOf(thrown);
        const failure = failureOf(error);
        waitMs = Math.min(retryWaitMs(failures), LONGEST_WAIT_MS);
        if (isOfBot(failure)) {
          waitMs = failure.waitMs ?? waitMs;
          // A bot with a webhook gets no messages here until the webhook is removed.
          if (failure.kind === "conflict") await bot.api.deleteWebhook().catch(() => {});
          await states
            .fails(failure)
            .catch((again: unknown) => isTroubled(again) || log.error({ err: again }, "the bot's state was not kept"));
        } else if (isTroubled(error)) waitMs = LEASE_LOOK_MS;
        else log.error(detailsOf(error), "the bot's turn failed");
      }
      await wait(waitMs, undefined, { signal }).catch(() => {});
    }
    if (next > 0)
      await bot.api
        .getUpdates({ offset: next, limit: 1, timeout: 0 }, AbortSignal.timeout(CONFIRM_WITHIN_MS) as never)
        .catch(() => {});
    await leases.release(LEASE).catch(() => {});
  };
}
