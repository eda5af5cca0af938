import type { AssignmentInput } from "@krug/contract/messages/support";
import type { Actor } from "../../../platform/http/call.ts";
import { refuse } from "../../../platform/refusal.ts";
import { makeHands } from "./hands.ts";
import type { SupportParts } from "./parts.ts";
import * as repository from "./repository.ts";
import type { SupportStreams } from "./streams.ts";
import { memberFor } from "./whose.ts";

/** Takes a conversation, assigns it to someone else on staff, or unassigns it. Returns the assignee's id. */
export function makeAssignConversation(parts: SupportParts, { changed }: Pick<SupportStreams, "changed">) {
  const { transact, audit } = parts;
  const hands = makeHands(parts);
  return (actor: Actor, userId: string, { assignedTo, expected }: AssignmentInput): Promise<string | null> =>
    transact(async (tx) => {
      const receiver = await hands.lockReceiver(tx, assignedTo);
      const member = await memberFor(parts, tx, actor, userId);
      const { assigned_to: before } =
        (await repository.conversation(tx, member.id)) ?? refuse("support.conversation_not_found");
      if (expected !== undefined && !(await hands.isSeen(tx, actor, before, expected.assignedTo)))
        refuse("support.conversation_changed_meanwhile");
      if (assignedTo === before) return before;
      if (assignedTo !== null) hands.refuseUnlessStaff(actor, receiver, member);
      await repository.assignConversation(tx, member.id, assignedTo);
      await audit.record(tx, actor.memberId, "support.conversation_assigned", {
        target: member.id,
        before: { assignedTo: before },
        after: { assignedTo },
      });
      changed(tx, member);
      return assignedTo;
    });
}
