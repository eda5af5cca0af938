import { ATTEMPTS_KEPT_MS } from "../invites/index.ts";
import { memberDeleted } from "../members/index.ts";
import { makeBotStates } from "./bot-state.ts";
import { makeLinkCodes } from "./link-codes.ts";
import { makeLinking } from "./linking.ts";
import { makeOutbox } from "./outbox.ts";
import type { TelegramParts } from "./parts.ts";
import * as repository from "./repository.ts";

export { sealedInTelegram } from "./link-codes.ts";

export type Telegram = ReturnType<typeof makeTelegram>;

/** The messenger (decisions, section 8): members link their Telegram accounts, and the club's bot answers them. */
export function makeTelegram(parts: TelegramParts) {
  const { transact, clock, events } = parts;
  const states = makeBotStates(parts);
  const codes = makeLinkCodes(parts);
  const outbox = makeOutbox(parts);
  events.on(memberDeleted, async (tx, { memberId }) => {
    await codes.forget(tx, memberId);
    await outbox.forget(tx, memberId);
  });

  return {
    hasToken: parts.bot.token !== null,
    states,
    codes,
    outbox,
    linking: makeLinking(parts, codes),
    isRequired: states.isRequired,
    ownData: { telegramNotices: (memberId: string) => outbox.choicesOf(parts.db, memberId) },
    /** Deletes expired codes, outdated wrong attempts and notices given up long ago; once an hour is often enough. */
    forgetOld: (): Promise<void> =>
      transact(async (tx) => {
        await codes.forgetEnded(tx);
        await outbox.forgetFailed(tx);
        await repository.deleteAttemptsBefore(tx, clock.now().getTime() - ATTEMPTS_KEPT_MS);
      }),
  };
}
