import { setTimeout as pause } from "node:timers/promises";
import type { Bot } from "grammy";
import type { Update } from "grammy/types";
import { isTroubled } from "../../platform/database/trouble.ts";
import { retryWaitMs } from "../../platform/jobs.ts";
import type { Leases } from "../../platform/leases.ts";
import type { Log } from "../../platform/log.ts";
import type { BotStates } from "./bot-state.ts";
import { HEARD_UPDATES } from "./converse.ts";
import { detailsOf, failureOf, isOfBot } from "./failure.ts";
import type { Linking } from "./linking.ts";
import { words } from "./words.ts";

const LEASE = "telegram";
/** How long Telegram holds a question that it has no answer to. */
const POLL_S = 25;
/** Any call that takes longer has failed. */
export const CALL_TIMEOUT_S = 35;
/** Longer than a call, so that who waits for an answer keeps the lease. */
const LEASE_MS = 60_000;
const LEASE_LOOK_MS = 5_000;
const LONGEST_WAIT_MS = 60_000;
/** Both end within the time that a part of the panel has to stop. */
const ANSWER_WITHIN_MS = 500;
const CONFIRM_WITHIN_MS = 500;
/** An update that our bug fails this often is skipped, so that it does not block everyone for good. */
const TRIES = 5;

interface Parts {
  leases: Leases;
  log: Log;
  states: BotStates;
  linking: Pick<Linking, "noteBlocked">;
  openBot(): Promise<Bot>;
}

/**
 * Asks Telegram for updates and has them handled, one after the other, until the signal; of the panels that share a database
 * only the one that holds the lease. An update counts as taken once it was handled: what a crash, a silent Telegram or a
 * restart interrupts comes again.
 */
export function makeReadUpdates({ leases, log, states, linking, openBot }: Parts) {
  return async (signal: AbortSignal): Promise<void> => {
    const bot = await openBot();
    // When the panel stops, a poll is not waited for; an answer briefly, because without Telegram's word it is given twice.
    const answering = new AbortController();
    signal.addEventListener("abort", () => setTimeout(() => answering.abort(), ANSWER_WITHIN_MS).unref());
    bot.api.config.use((previous, method, payload, own) =>
      previous(method, payload, own ?? ((method === "getUpdates" ? signal : answering.signal) as never)),
    );
    let introduced = false;
    let next = 0;
    let failures = 0;
    let tries = 0;

    const introduce = async () => {
      bot.botInfo = await bot.api.getMe();
      introduced = true;
      // What the bot offers in its menu; it answers without that too.
      for (const [language, { commands }] of Object.entries(words)) {
        const list = Object.entries(commands).map(([command, description]) => ({ command, description }));
        await bot.api.setMyCommands(list, language === "ru" ? {} : { language_code: "en" }).catch(() => {});
      }
    };

    const handle = async (update: Update): Promise<void> => {
      try {
        tries += 1;
        await bot.handleUpdate(update);
      } catch (thrown) {
        const error = causeOf(thrown);
        const failure = failureOf(error);
        const from = personIn(update);
        if (failure?.kind === "person_gone" && from !== undefined) await linking.noteBlocked(String(from));
        else if (failure?.kind === "refused") log.warn({ reason: failure.reason }, "Telegram refused an answer");
        else if (tries < TRIES) throw error;
        else log.error(detailsOf(error), "a message to the bot could not be handled and is left");
      }
      tries = 0;
      next = update.update_id + 1;
    };

    /** Answers how long to wait before the next turn, ms. */
    const turn = async (): Promise<number> => {
      if (!(await leases.take(LEASE, LEASE_MS))) {
        introduced = false;
        states.forget();
        return LEASE_LOOK_MS;
      }
      // The first answer is wanted at once: only then it is known that the bot works.
      const timeout = introduced && failures === 0 ? POLL_S : 0;
      if (!introduced) await introduce();
      const updates = await bot.api.getUpdates({ offset: next, timeout, allowed_updates: HEARD_UPDATES });
      await states.works(bot.botInfo.username);
      for (const update of updates) {
        // Answers may have taken long: Telegram gives the rest to the current holder of the lease.
        if (signal.aborted || !(await leases.take(LEASE, LEASE_MS))) break;
        await handle(update);
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
      await pause(waitMs, undefined, { signal }).catch(() => {});
    }
    if (next > 0)
      await bot.api
        .getUpdates({ offset: next, limit: 1, timeout: 0 }, AbortSignal.timeout(CONFIRM_WITHIN_MS) as never)
        .catch(() => {});
    await leases.release(LEASE).catch(() => {});
  };
}

/** The library wraps what a handler threw together with its whole context. */
const causeOf = (thrown: unknown): unknown =>
  thrown instanceof Error && thrown.name === "BotError" ? (thrown as Error & { error: unknown }).error : thrown;

const personIn = ({ message, callback_query, my_chat_member }: Update) =>
  (message ?? callback_query ?? my_chat_member)?.from?.id;
