import type { Tx } from "../../../platform/database/database.ts";
import type { SupportParts } from "./parts.ts";
import * as repository from "./repository.ts";
import { tellDesk } from "./streams.ts";

/** Unassigns everything from someone who is no longer on staff: it would wait for them. */
export function makeRelease(parts: SupportParts) {
  const { members, audit } = parts;
  const release = async (tx: Tx, id: string, which: { closedToo: boolean }) => {
    const freed = await repository.release(tx, id, which);
    const concerned = await members.byIds(tx, [...new Set([...freed.conversations, ...freed.tickets])]);
    for (const member of concerned) tellDesk(parts, tx, member);
    return { conversations: freed.conversations.length, tickets: freed.tickets.length };
  };
  return {
    /** Closed tickets still say who had them. */
    async ofWhoLeft(tx: Tx, id: string, byId: string): Promise<void> {
      const after = await release(tx, id, { closedToo: false });
      if (after.conversations + after.tickets === 0) return;
      // One entry for all of them: each has its own history of who had it.
      await audit.record(tx, byId, "support.hands_freed", { target: id, after });
    },
    /** The audit has the deletion. */
    async ofDeleted(tx: Tx, id: string): Promise<void> {
      await release(tx, id, { closedToo: true });
    },
  };
}
