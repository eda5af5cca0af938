import { makeConverse } from "./converse.ts";
import type { Telegram } from "./index.ts";
import type { BotParts } from "./parts.ts";
import { CALL_TIMEOUT_S, makeReadUpdates } from "./read-updates.ts";
import { makeSendNotices } from "./send-notices.ts";

interface Parts extends BotParts {
  telegram: Telegram;
}

/** A message that takes longer was not sent. */
const SEND_WITHIN_S = 15;

/** The club's bot: reads what is written to it and answers, and sends notices. */
export function makeTelegramBot(parts: Parts) {
  const { log, telegram } = parts;
  const { token, apiRoot } = parts.bot;
  const converse = makeConverse(parts, telegram.linking);
  const stopping = new AbortController();
  let working: Promise<unknown> = Promise.resolve();

  /** The library is loaded only if there is a bot. */
  const openBot = async (ofToken: string) => {
    const { Bot } = await import("grammy");
    const bot = new Bot(ofToken, { client: { apiRoot, timeoutSeconds: CALL_TIMEOUT_S } });
    converse(bot);
    return bot;
  };
  const openApi = async (ofToken: string) => {
    const { Api } = await import("grammy");
    return new Api(ofToken, { apiRoot, timeoutSeconds: SEND_WITHIN_S });
  };

  return {
    /** Begins to read and send messages, in the background; without a token there is nothing to do. */
    start(): void {
      if (token === null) return;
      const readUpdates = makeReadUpdates({ ...parts, ...telegram, openBot: () => openBot(token) });
      const sendNotices = makeSendNotices({ ...parts, ...telegram, openApi: () => openApi(token) });
      working = Promise.all([readUpdates(stopping.signal), sendNotices(stopping.signal)]).catch((error: unknown) =>
        log.error({ err: error }, "the Telegram bot could not be started"),
      );
    },
    /** An answer in progress has a moment to end; an update without one comes again at the next start. */
    async stop(): Promise<void> {
      stopping.abort();
      await working;
    },
  };
}
