import { goneColumns } from "@krug/domain/fields/field";
import { MEMBER_FIELDS } from "@krug/domain/fields/member";
import type { Actor } from "../../../platform/http/call.ts";
import { lockTarget } from "./change-member.ts";
import { memberDeleted } from "./events.ts";
import type { MemberUseParts } from "./parts.ts";
import * as repository from "./repository.ts";

/** Deletes a member. A nameless tombstone stays for payments, audit and the invitation tree (decisions, section 2). */
export function makeDeleteMember({ transact, clock, events, audit, auth, templates }: MemberUseParts) {
  return (actor: Actor, idOrUsername: string): Promise<void> =>
    transact(async (tx) => {
      const member = await lockTarget(tx, idOrUsername, true);
      await auth.endSessions(tx, member.id);
      await templates.forgetMember(tx, member.id);
      // Before the row loses its name: subscribers may still need it.
      await events.record(tx, memberDeleted, { memberId: member.id });
      const { subscription_end: _, subscription_source: __, ...gone } = goneColumns(MEMBER_FIELDS);
      const at = clock.now().getTime();
      const end = { memberId: member.id, end: null, source: null };
      await repository.moveEnds(tx, [{ ...end, kind: "deleted", byId: actor.memberId, at }]);
      await repository.update(tx, member.id, {
        ...gone,
        username_key: `deleted:${member.id}`,
        password_hash: null,
        staff_password: 0,
        quota_used_up_until: null,
        quota_slowed_until: null,
        accepted_rules_at: null,
        referral_earned_at: null,
        telegram_id: null,
        telegram_name: null,
        telegram_language: null,
        telegram_blocked_at: null,
        invite_code: null,
        deleted_at: at,
      });
      await audit.forgetNames(tx, member.id);
      await audit.record(tx, actor.memberId, "member.deleted", {
        target: member.id,
        before: { role: member.role, created_at: member.created_at },
      });
    });
}
