import type { Db, Tx } from "../../../platform/database/database.ts";
import type { Actor } from "../../../platform/http/call.ts";
import { refuse } from "../../../platform/refusal.ts";
import { isHidden } from "../../club/rights/index.ts";
import type { MemberRow } from "../../members/members/index.ts";
import type { SupportParts } from "./parts.ts";

/** The member whom staff name by id or username. */
export async function memberFor({ members }: SupportParts, db: Db, actor: Actor, idOrName: string): Promise<MemberRow> {
  const member = await members.findByIdOrUsername(db, idOrName);
  return member === undefined || isHidden(actor, member) ? refuse("member.not_found") : member;
}

/** Locks the member of a conversation, who cannot be deleted before the transaction ends. */
export async function lockMember(
  { members }: SupportParts,
  tx: Tx,
  actor: Actor,
  to: { member: string; asStaff: boolean },
): Promise<MemberRow> {
  if (!to.asStaff) return (await members.lock(tx, actor.memberId)) ?? refuse("auth.required");
  const found = await members.findByIdOrUsername(tx, to.member);
  const member = found && (await members.lock(tx, found.id));
  return member === undefined || isHidden(actor, member) ? refuse("member.not_found") : member;
}
