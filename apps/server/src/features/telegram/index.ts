import { ATTEMPTS_KEPT_MS } from "../invites/index.ts";
import { memberDeleted } from "../members/index.ts";
import { makeBotStates } from "./bot-state.ts";
import { makeConverse } from "./converse.ts";
import { makeLinkCodes } from "./link-codes.ts";
import { makeLinking } from "./linking.ts";
import type { TelegramParts } from "./parts.ts";
import { CALL_TIMEOUT_S, makeReadUpdates } from "./read-updates.ts";
import * as repository from "./repository.ts";
import { makeTelegramRoutes } from "./routes.ts";

export { sealedInTelegram } from "./link-codes.ts";

export type Telegram = ReturnType<typeof makeTelegram>;

/** The messenger (decisions, section 8): members link their Telegram accounts, and the club's bot answers them. */
export function makeTelegram(parts: TelegramParts) {
  const { transact, clock, events, log } = parts;
  const { token, apiRoot } = parts.bot;
  const states = makeBotStates(parts);
  const codes = makeLinkCodes(parts);
  const linking = makeLinking(parts, codes);
  const converse = makeConverse(parts, linking);
  events.on(memberDeleted, (tx, { memberId }) => codes.forget(tx, memberId));

  const stopping = new AbortController();
  let reading: Promise<void> = Promise.resolve();

  /** The library is loaded only where there is a bot. */
  const openBot = async (ofToken: string) => {
    const { Bot } = await import("grammy");
    const bot = new Bot(ofToken, { client: { apiRoot, timeoutSeconds: CALL_TIMEOUT_S } });
    converse(bot);
    return bot;
  };

  return {
    routes: makeTelegramRoutes(parts, { states, codes, linking }),
    isRequired: states.isRequired,
    /** Begins to read messages, in the background; without a token there is nothing to do. */
    start(): void {
      if (token === null) return;
      const readUpdates = makeReadUpdates({ ...parts, states, linking, openBot: () => openBot(token) });
      reading = readUpdates(stopping.signal).catch((error: unknown) =>
        log.error({ err: error }, "the Telegram bot could not be started"),
      );
    },
    /** What is being handled is left where it is: Telegram gives it again at the next start. */
    async stop(): Promise<void> {
      stopping.abort();
      await reading;
    },
    /** Forgets codes that have ended and wrong ones that count no more; once an hour is often enough. */
    forgetOld: (): Promise<void> =>
      transact(async (tx) => {
        await codes.forgetEnded(tx);
        await repository.deleteAttemptsBefore(tx, clock.now().getTime() - ATTEMPTS_KEPT_MS);
      }),
  };
}
