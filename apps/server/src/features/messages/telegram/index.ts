import { ATTEMPTS_KEPT_MS } from "../../access/invites/index.ts";
import { memberDeleted } from "../../members/members/index.ts";
import { makeBotStates } from "./bot-state.ts";
import { makeLinkCodes } from "./link-codes.ts";
import { makeLinking } from "./linking.ts";
import { makeMiniApp } from "./mini-app.ts";
import type { TelegramParts } from "./parts.ts";
import * as repository from "./repository.ts";

export { sealedInTelegram } from "./link-codes.ts";
export type { LostConfirmed, LostDevice } from "./parts.ts";

export type Telegram = ReturnType<typeof makeTelegram>;

/** The messenger (decisions, section 8): members link their Telegram accounts, and the club's bot answers them. */
export function makeTelegram(parts: TelegramParts) {
  const { transact, clock, events, members, outbox } = parts;
  const states = makeBotStates(parts);
  const codes = makeLinkCodes(parts);
  const linking = makeLinking(parts, codes);
  events.on(memberDeleted, (tx, { memberId }) => codes.forget(tx, memberId));
  if (parts.bot.token !== null)
    outbox.addWay("telegram", async (tx, memberIds) =>
      (await members.linkedAmong(tx, memberIds)).map((memberId) => ({ memberId, target: memberId })),
    );

  return {
    hasToken: parts.bot.token !== null,
    states,
    codes,
    linking,
    miniApp: makeMiniApp(parts, linking),
    isRequired: states.isRequired,
    /** Deletes expired codes and outdated wrong attempts; once an hour is often enough. */
    forgetOld: (): Promise<void> =>
      transact(async (tx) => {
        await codes.forgetEnded(tx);
        await repository.deleteOpeningsEndedBy(tx, clock.now().getTime());
        await repository.deleteAttemptsBefore(tx, clock.now().getTime() - ATTEMPTS_KEPT_MS);
      }),
  };
}
