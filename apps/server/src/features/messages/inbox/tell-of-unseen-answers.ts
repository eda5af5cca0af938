import { DAY_MS, MINUTE_MS } from "@krug/domain/moment";
import type { InboxParts } from "./parts.ts";
import * as repository from "./repository.ts";
import type { NewNotice, Tell } from "./tell.ts";

/** An open page shows an answer at once: one still unseen after this was shown to nobody. */
const SEEN_WITHIN_MS = MINUTE_MS;
const AT_ONCE = 1_000;

/** A member is notified of this answer at most once. */
export const answerKey = (messageId: string) => `support:${messageId}`;

/**
 * Notifies members of answers that an open page should have shown but did not: its window is hidden, or the phone lost its
 * network. One notice of unread answers is enough.
 */
export function makeTellOfUnseenAnswers({ db, transact, clock, support }: InboxParts, tell: Tell) {
  return async (): Promise<void> => {
    const now = clock.now().getTime();
    const rows = await support.unseenAnswers(db, { from: now - DAY_MS, to: now - SEEN_WITHIN_MS, limit: AT_ONCE });
    const oldest = new Map<string, NewNotice>();
    for (const { id, member_id: memberId, ticket_id: ticketId } of rows)
      if (!oldest.has(memberId))
        oldest.set(memberId, {
          memberId,
          told: { kind: "support_reply", params: { ticketId } },
          onceKey: answerKey(id),
        });
    const known = await repository.toldKeys(db, [...oldest.keys()]);
    for (const notice of oldest.values()) {
      if (known.has(`${notice.memberId} ${notice.onceKey}`)) continue;
      await transact(async (tx) => {
        if (!(await repository.hasUnread(tx, notice.memberId, "support_reply"))) await tell(tx, [notice]);
      });
    }
  };
}
