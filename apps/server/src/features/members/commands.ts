import type { Language } from "@krug/contract/refusals";
import type { Tx } from "../../platform/database/database.ts";
import type { Events } from "../../platform/events.ts";
import { memberChanged, memberStandingChanged } from "./events.ts";
import * as repository from "./repository.ts";
import type { MemberRow } from "./table.ts";

/** What other features may change about a member. Each command tells those who act on it, in the same transaction. */
export function makeMemberCommands(events: Events) {
  const change = async (tx: Tx, memberId: string, to: Parameters<typeof repository.update>[2]) => {
    await repository.update(tx, memberId, to);
    await events.record(tx, memberChanged, { memberId });
  };

  return {
    /** Sessions and links that the old password opened are the caller's to end. */
    setPasswordHash: (tx: Tx, memberId: string, passwordHash: string): Promise<void> =>
      repository.update(tx, memberId, { password_hash: passwordHash }),

    async setSubscription(
      tx: Tx,
      memberId: string,
      subscription: Pick<MemberRow, "subscription_end" | "subscription_source">,
    ): Promise<void> {
      await repository.update(tx, memberId, subscription);
      await events.record(tx, memberStandingChanged, { memberId });
    },

    /** The last month (YYYY-MM) for which staff recorded a payment. */
    setSettledPeriod: (tx: Tx, memberId: string, period: string): Promise<void> =>
      repository.update(tx, memberId, { settled_period: period }),

    linkMessenger: (
      tx: Tx,
      memberId: string,
      { telegramId, name, language }: { telegramId: string; name: string; language: Language },
    ) =>
      change(tx, memberId, {
        telegram_id: telegramId,
        telegram_name: name,
        telegram_language: language,
        telegram_blocked_at: null,
      }),

    noteMessengerLanguage: (tx: Tx, memberId: string, language: Language) =>
      change(tx, memberId, { telegram_language: language }),

    unlinkMessenger: (tx: Tx, memberId: string) =>
      change(tx, memberId, { telegram_id: null, telegram_name: null, telegram_blocked_at: null }),

    /** `at`: ms since 1970, or null once the bot is unblocked. */
    noteMessengerBlocked: (tx: Tx, memberId: string, at: number | null) =>
      change(tx, memberId, { telegram_blocked_at: at }),
  };
}
