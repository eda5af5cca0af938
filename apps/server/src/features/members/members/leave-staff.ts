import { isStaff } from "@krug/domain/roles";
import type { Tx } from "../../../platform/database/database.ts";
import type { Actor } from "../../../platform/http/call.ts";
import { refuse } from "../../../platform/refusal.ts";
import { lockTarget, makeChangeMembers } from "./change-member.ts";
import type { MemberUseParts } from "./parts.ts";
import { promisedRole } from "./standing.ts";
import type { MemberRow } from "./table.ts";

/** What a member of staff has, of features above this one. */
export interface LeaverParts {
  twoFactor: { resetIfOn(tx: Tx, memberId: string, actorId: string | null): Promise<boolean> };
  passkeys: { resetIfAny(tx: Tx, memberId: string, actorId: string): Promise<boolean> };
  invites: { deactivateOf(tx: Tx, actor: Actor, memberId: string): Promise<void> };
}

/** Everything that somebody had as staff ends in one transaction: nothing is left half done. */
export function makeLeaveStaff(parts: MemberUseParts & LeaverParts) {
  const { transact, audit, auth, twoFactor, passkeys, invites } = parts;
  const { changeMember } = makeChangeMembers(parts);

  return (actor: Actor, idOrUsername: string, { block }: { block: boolean }): Promise<MemberRow> =>
    transact(async (tx) => {
      const before = await lockTarget(tx, idOrUsername, true);
      if (before.id === actor.memberId) refuse("member.not_others");
      if (!isStaff(promisedRole(before))) refuse("member.not_staff");
      await audit.record(tx, actor.memberId, "member.left_staff", { target: before.id });
      // Sessions, tokens, password links, conversations and what they may do by Telegram follow from the role.
      const after = await changeMember(tx, actor, before.id, { role: "user", ...(block ? { isActive: false } : {}) });
      // Somebody who was only to become staff has kept their role, and their sessions.
      await auth.endSessions(tx, before.id);
      await twoFactor.resetIfOn(tx, before.id, actor.memberId);
      await passkeys.resetIfAny(tx, before.id, actor.memberId);
      await invites.deactivateOf(tx, actor, before.id);
      return after;
    });
}
