import type { Actor } from "../../../platform/http/call.ts";
import type { SupportParts } from "./parts.ts";
import * as repository from "./repository.ts";
import type { SupportStreams } from "./streams.ts";
import { memberFor } from "./whose.ts";

/**
 * Marks a conversation as needing no answer, or as waiting again. `upTo`: the newest message that the caller has seen; later ones
 * still wait. Returns since when it waits, ms, or null.
 */
export function makeSetWaiting(parts: SupportParts, { changed }: Pick<SupportStreams, "changed">) {
  const { transact, audit } = parts;
  return (
    actor: Actor,
    userId: string,
    { waiting, upTo }: { waiting: boolean; upTo: number },
  ): Promise<number | null> =>
    transact(async (tx) => {
      const member = await memberFor(parts, tx, actor, userId);
      const conversation = await repository.conversation(tx, member.id);
      const before = conversation?.waiting_since ?? null;
      if (conversation === undefined || waiting === (before !== null)) return before;
      if (!waiting && conversation.last_sequence > upTo) return before;
      await repository.settle(tx, member.id, waiting ? 0 : conversation.last_sequence);
      const since = await repository.updateWaiting(tx, member.id);
      if (since === before) return before;
      await audit.record(tx, actor.memberId, "support.waiting_set", {
        target: member.id,
        before: { waiting: before !== null },
        after: { waiting: since !== null },
      });
      changed(tx, member);
      return since;
    });
}
