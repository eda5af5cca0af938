import type { NewMemberInput } from "@krug/contract/members/members";
import type { Actor } from "../../../platform/http/call.ts";
import { refuse } from "../../../platform/refusal.ts";
import { memberChanged } from "./events.ts";
import { checkedDisplayName, newcomersShare, newMemberRow, refuseBadUsername } from "./new-member.ts";
import type { MemberUseParts } from "./parts.ts";
import * as repository from "./repository.ts";
import { subscriptionEndOn } from "./staff-date.ts";

/** Adds a member. They set their password by the one-time link in the answer. */
export function makeAddMember({ transact, clock, clubTime, events, settings, audit, auth, templates }: MemberUseParts) {
  return (actor: Actor, wish: NewMemberInput, origin: string) => {
    refuseBadUsername(wish.username);
    const now = clock.now();
    const end = wish.subscriptionEnd ? subscriptionEndOn(wish.subscriptionEnd, clubTime, now) : null;
    const wished = newMemberRow({
      username: wish.username,
      ...(wish.displayName === undefined ? {} : { display_name: checkedDisplayName(wish.displayName) }),
      ...(wish.role === undefined ? {} : { role: wish.role }),
      subscription_end: end,
      subscription_source: end === null ? null : "staff",
      created_at: now.getTime(),
    });
    return transact(async (tx) => {
      if (wish.templateId != null && (await templates.hold(tx, wish.templateId)) === undefined)
        refuse("template.unknown", { field: "templateId" });
      const template = await templates.forNewMember(tx, wish.templateId ?? null);
      const share = newcomersShare(await settings.read(tx), template);
      const row = { ...wished, ...share, config_limit: wish.vpnConfigLimit ?? share.config_limit };
      if (!(await repository.insert(tx, row))) refuse("member.username_taken", { field: "username" });
      await templates.begin(tx, row.id, template);
      await audit.record(tx, {
        actorId: actor.memberId,
        action: "member.added",
        target: row.id,
        after: {
          username: row.username,
          role: row.role,
          config_limit: row.config_limit,
          ...(row.quota_bytes === null ? {} : { quota_bytes: row.quota_bytes, quota_at_end: row.quota_at_end }),
          subscription_end: end,
          ...(template === undefined ? {} : { template: template.name }),
        },
      });
      await events.record(tx, memberChanged, { memberId: row.id });
      return { row, link: await auth.makePasswordLink(tx, row, origin) };
    });
  };
}
