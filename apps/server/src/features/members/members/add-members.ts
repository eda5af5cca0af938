import type { NewMemberInput } from "@krug/contract/members/members";
import type { Tx } from "../../../platform/database/database.ts";
import { refuse } from "../../../platform/refusal.ts";
import { memberChanged } from "./events.ts";
import { checkedDisplayName, newcomersShare, newMemberRow, refuseBadUsername } from "./new-member.ts";
import type { MemberUseParts } from "./parts.ts";
import * as repository from "./repository.ts";
import { subscriptionEndOn } from "./staff-date.ts";
import type { MemberRow } from "./table.ts";

type AddMembersParts = Pick<
  MemberUseParts,
  "clock" | "clubTime" | "events" | "settings" | "audit" | "auth" | "templates"
>;
export type AddMembers = ReturnType<typeof makeAddMembers>;

/**
 * Adds members, with as many statements for many as for one. They set their password by the one-time link in the answer, in the same
 * order. `actor`: who adds them, null for the machine itself.
 */
export function makeAddMembers({ clock, clubTime, events, settings, audit, auth, templates }: AddMembersParts) {
  return async (
    tx: Tx,
    actor: { memberId: string | null },
    inputs: readonly NewMemberInput[],
    { origin, linkLifeMs }: { origin: string; linkLifeMs?: number },
  ): Promise<{ row: MemberRow; link: { link: string; expiresAt: string } }[]> => {
    if (inputs.length === 0) return [];
    for (const { username } of inputs) refuseBadUsername(username);
    const now = clock.now();
    const found = new Map<string | null, Awaited<ReturnType<typeof templates.forNewMember>>>();
    for (const id of new Set(inputs.map(({ templateId }) => templateId ?? null))) {
      if (id !== null && (await templates.hold(tx, id)) === undefined)
        refuse("template.unknown", { field: "templateId" });
      found.set(id, await templates.forNewMember(tx, id));
    }
    const rules = await settings.read(tx);
    const added = inputs.map((input) => {
      const end = input.subscriptionEnd ? subscriptionEndOn(input.subscriptionEnd, clubTime, now) : null;
      const asked = newMemberRow({
        username: input.username,
        ...(input.displayName === undefined ? {} : { display_name: checkedDisplayName(input.displayName) }),
        ...(input.role === undefined ? {} : { role: input.role }),
        subscription_end: end,
        subscription_source: end === null ? null : "staff",
        created_at: now.getTime(),
      });
      const template = found.get(input.templateId ?? null);
      const share = newcomersShare(rules, template);
      const row = { ...asked, ...share, config_limit: input.vpnConfigLimit ?? share.config_limit };
      return { row, template };
    });
    const rows = added.map(({ row }) => row);
    if ((await repository.insertAll(tx, rows, actor.memberId)).size < rows.length)
      refuse("member.username_taken", { field: "username" });
    for (const template of new Set(added.map((one) => one.template))) {
      const ids = added.flatMap((one) => (one.template === template ? [one.row.id] : []));
      await templates.begin(tx, ids, template);
    }
    await audit.recordAll(
      tx,
      added.map(({ row, template }) => ({
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
          subscription_end: row.subscription_end,
          ...(template === undefined ? {} : { template: template.name }),
        },
      })),
    );
    await events.recordAll(
      tx,
      memberChanged,
      rows.map(({ id }) => ({ memberId: id })),
    );
    const links = await auth.makePasswordLinks(tx, rows, origin, linkLifeMs);
    return rows.map((row, at) => ({ row, link: links[at] ?? refuse("member.not_found") }));
  };
}
