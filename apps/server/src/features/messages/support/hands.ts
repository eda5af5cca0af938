import { isStaff } from "@krug/domain/roles";
import type { Tx } from "../../../platform/database/database.ts";
import type { Actor } from "../../../platform/http/call.ts";
import { refuse } from "../../../platform/refusal.ts";
import { isHidden } from "../../club/rights/index.ts";
import type { MemberRow } from "../../members/members/index.ts";
import type { SupportParts } from "./parts.ts";

/** Who may be assigned a ticket or a conversation, and who is: one rule for both. */
export function makeHands({ members }: Pick<SupportParts, "members">) {
  return {
    /**
     * Locks the assignee, who cannot leave the staff before the transaction ends. Before all other locks, as when somebody
     * leaves.
     */
    lockReceiver: async (tx: Tx, id: string | null | undefined): Promise<MemberRow | undefined> =>
      id == null ? undefined : members.lock(tx, id),

    /** `member`: the owner of the ticket or conversation. */
    refuseUnlessStaff(actor: Actor, receiver: MemberRow | undefined, member: MemberRow): void {
      const suits =
        receiver !== undefined && isStaff(receiver.role) && receiver.is_active === 1 && !isHidden(actor, receiver);
      if (!suits) refuse("support.assignee_unknown", { field: "assignedTo" });
      if (isHidden(receiver, member)) refuse("support.assignee_sees_not", { field: "assignedTo" });
    },

    /** Whether the actor has seen the current assignee. A colleague hidden from the actor does not exist for them. */
    async isSeen(tx: Tx, actor: Actor, assignedTo: string | null, expected: string | null): Promise<boolean> {
      const holder = assignedTo === null ? undefined : await members.find(tx, assignedTo);
      return expected === (holder === undefined || isHidden(actor, holder) ? null : holder.id);
    },
  };
}
