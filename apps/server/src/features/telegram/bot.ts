import { makeConverse } from "./converse.ts";
import type { Telegram } from "./index.ts";
import type { BotParts } from "./parts.ts";
import { CALL_TIMEOUT_S, makeReadUpdates } from "./read-updates.ts";

interface Parts extends BotParts {
  telegram: Telegram;
}

/** The club's bot: reads what is written to it and answers. */
export function makeTelegramBot(parts: Parts) {
  const { log, telegram } = parts;
  const { token, apiRoot } = parts.bot;
  const converse = makeConverse(parts, telegram.linking);
  const stopping = new AbortController();
  let reading: Promise<void> = Promise.resolve();

  /** The library is loaded only if there is a bot. */
  const openBot = async (ofToken: string) => {
    const { Bot } = await import("grammy");
    const bot = new Bot(ofToken, { client: { apiRoot, timeoutSeconds: CALL_TIMEOUT_S } });
    converse(bot);
    return bot;
  };

  return {
    /** Begins to read messages, in the background; without a token there is nothing to do. */
    start(): void {
      if (token === null) return;
      const readUpdates = makeReadUpdates({ ...parts, ...telegram, openBot: () => openBot(token) });
      reading = readUpdates(stopping.signal).catch((error: unknown) =>
        log.error({ err: error }, "the Telegram bot could not be started"),
      );
    },
    /** An answer in progress has a moment to end; an update without one comes again at the next start. */
    async stop(): Promise<void> {
      stopping.abort();
      await reading;
    },
  };
}
