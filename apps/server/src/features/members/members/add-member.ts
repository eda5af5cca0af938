import type { NewMemberInput } from "@krug/contract/members/members";
import type { Tx } from "../../../platform/database/database.ts";
import { refuse } from "../../../platform/refusal.ts";
import { memberChanged } from "./events.ts";
import { checkedDisplayName, newcomersShare, newMemberRow, refuseBadUsername } from "./new-member.ts";
import type { MemberUseParts } from "./parts.ts";
import * as repository from "./repository.ts";
import { subscriptionEndOn } from "./staff-date.ts";

type AddMemberParts = Pick<
  MemberUseParts,
  "clock" | "clubTime" | "events" | "settings" | "audit" | "auth" | "templates"
>;
export type AddMember = ReturnType<typeof makeAddMember>;

/** Adds a member. They set their password by the one-time link in the answer. `actor`: who adds them, null for the machine itself. */
export function makeAddMember({ clock, clubTime, events, settings, audit, auth, templates }: AddMemberParts) {
  return async (
    tx: Tx,
    actor: { memberId: string | null },
    input: NewMemberInput,
    { origin, linkLifeMs }: { origin: string; linkLifeMs?: number },
  ) => {
    refuseBadUsername(input.username);
    const now = clock.now();
    const end = input.subscriptionEnd ? subscriptionEndOn(input.subscriptionEnd, clubTime, now) : null;
    const asked = newMemberRow({
      username: input.username,
      ...(input.displayName === undefined ? {} : { display_name: checkedDisplayName(input.displayName) }),
      ...(input.role === undefined ? {} : { role: input.role }),
      subscription_end: end,
      subscription_source: end === null ? null : "staff",
      created_at: now.getTime(),
    });
    if (input.templateId != null && (await templates.hold(tx, input.templateId)) === undefined)
      refuse("template.unknown", { field: "templateId" });
    const template = await templates.forNewMember(tx, input.templateId ?? null);
    const share = newcomersShare(await settings.read(tx), template);
    const row = { ...asked, ...share, config_limit: input.vpnConfigLimit ?? share.config_limit };
    if (!(await repository.insert(tx, row, actor.memberId))) refuse("member.username_taken", { field: "username" });
    await templates.begin(tx, [row.id], template);
    await audit.record(tx, {
      actorId: actor.memberId,
      action: "member.added",
      target: row.id,
      after: {
        username: row.username,
        role: row.role,
        config_limit: row.config_limit,
        ...(row.quota_bytes === null ? {} : { quota_bytes: row.quota_bytes, quota_at_end: row.quota_at_end }),
        ...(row.quota_bytes === null || row.quota_at_end !== "slow" ? {} : { quota_slow_mbit: row.quota_slow_mbit }),
        ...(row.speed_mbit === null ? {} : { speed_mbit: row.speed_mbit }),
        subscription_end: end,
        ...(template === undefined ? {} : { template: template.name }),
      },
    });
    await events.record(tx, memberChanged, { memberId: row.id });
    return { row, link: await auth.makePasswordLink(tx, row, origin, linkLifeMs) };
  };
}
