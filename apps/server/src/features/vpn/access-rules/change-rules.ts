import { randomUUID } from "node:crypto";
import type { NewAccessRuleInput } from "@krug/contract/vpn/access-rules";
import { MOST_RULES, MOST_SELECTED_IN_ALL } from "@krug/domain/access-rules";
import { accessTargetForPeople, isAlwaysClosed, parseAccessTarget } from "@krug/wireguard/access-target";
import { lockPlace, type Tx } from "../../../platform/database/database.ts";
import type { Actor } from "../../../platform/http/call.ts";
import { refuse, refuseIf } from "../../../platform/refusal.ts";
import { spread } from "./jobs.ts";
import { afterAsking } from "./names.ts";
import type { AccessRuleParts } from "./parts.ts";
import * as repository from "./repository.ts";
import type { RuleRow } from "./table.ts";

/** An audit entry names at most this many ids, and says how many there were. */
const IDS_TOLD = 100;

/** `group`: the name of the group that it is for. */
const told = ({ type, kind, target }: RuleRow, memberIds: readonly string[], group?: string) => ({
  type,
  target: accessTargetForPeople({ kind, text: target }),
  ...(group !== undefined
    ? { groups: [group] }
    : {
        appliesTo: memberIds.length === 0 ? "all" : memberIds.slice(0, IDS_TOLD),
        ...(memberIds.length > IDS_TOLD ? { memberCount: memberIds.length } : {}),
      }),
});

/** Reads what staff type; a rule without effect is refused rather than stored. */
export function readTarget(typed: string) {
  const target = parseAccessTarget(typed) ?? refuse("rule.target_invalid", { field: "target" });
  if (target.kind === "network" && isAlwaysClosed(target.text)) refuse("rule.target_closed", { field: "target" });
  return target;
}

/** Adds and deletes rules, audited; both answer the jobs that update the servers. */
export function makeRuleChanges(parts: AccessRuleParts) {
  const { transact, clock, names, members, groups, audit } = parts;

  /** Rules are added one at a time, so that no limit is exceeded and no duplicate missed. */
  const refuseUnfit = async (tx: Tx, rule: RuleRow, memberIds: readonly string[]) => {
    refuseIf((await repository.count(tx, { hidden: null })) >= MOST_RULES ? "rule.too_many" : null, {
      max: MOST_RULES,
    });
    const selections = (await repository.countSelections(tx)) + memberIds.length;
    refuseIf(selections > MOST_SELECTED_IN_ALL ? "rule.too_many_selected" : null, { max: MOST_SELECTED_IN_ALL });
    const known = await members.byIds(tx, memberIds);
    refuseIf(known.length < memberIds.length ? "rule.member_unknown" : null, { field: "appliesTo" });
    for (const other of await repository.about(tx, rule.type, rule.target)) {
      // A rule for everybody includes one for some.
      const isSame =
        other.applies_to === "all" ||
        (rule.group_id === null
          ? rule.applies_to === "selected" &&
            other.group_id === null &&
            sameIds(await repository.memberIdsOf(tx, other.id), memberIds)
          : other.group_id === rule.group_id);
      refuseIf(isSame ? "rule.exists" : null, { field: "target" });
    }
  };

  return {
    async add(actor: Actor, wish: NewAccessRuleInput): Promise<{ rule: RuleRow; jobIds: string[] }> {
      const target = readTarget(wish.target);
      const { appliesTo } = wish;
      const groupId = typeof appliesTo === "object" && "groupId" in appliesTo ? appliesTo.groupId : null;
      const selected = Array.isArray(appliesTo) ? [...new Set(appliesTo)].sort() : [];
      // Before the transaction, which must not wait for the network.
      const found = target.kind === "name" ? await names.find(target.text) : null;
      return transact(async (tx) => {
        const now = clock.now().getTime();
        const rule: RuleRow = {
          id: randomUUID(),
          type: wish.type,
          kind: target.kind,
          target: target.text,
          applies_to: appliesTo === "all" ? "all" : "selected",
          group_id: groupId,
          created_at: now,
        };
        // Before the lock: whoever deletes the group has it first, then waits for the lock.
        const group = groupId === null ? undefined : ((await groups.hold(tx, [groupId]))[0] ?? null);
        if (group === null) refuse("group.unknown", { field: "appliesTo" });
        await lockPlace(tx, "access_rules");
        const memberIds = group ? (await groups.membersOf(tx, [group.id])).sort() : selected;
        await refuseUnfit(tx, rule, memberIds);
        if (found !== null) {
          const [before] = await repository.namesAmong(tx, [rule.target]);
          await repository.saveName(tx, afterAsking(before ?? null, rule.target, found, now));
        }
        await repository.insert(tx, rule, memberIds);
        await audit.record(tx, actor.memberId, "rule.added", {
          target: rule.id,
          after: told(rule, memberIds, group?.name),
        });
        return { rule, jobIds: await spread(parts, tx, memberIds) };
      });
    },

    remove: (actor: Actor, id: string): Promise<string[]> =>
      transact(async (tx) => {
        await lockPlace(tx, "access_rules");
        const rule = (await repository.lock(tx, id)) ?? refuse("rule.not_found");
        const memberIds = await repository.memberIdsOf(tx, id);
        const [group] = rule.group_id === null ? [] : await groups.hold(tx, [rule.group_id]);
        await repository.remove(tx, [rule]);
        await audit.record(tx, actor.memberId, "rule.deleted", {
          target: id,
          before: told(rule, memberIds, group?.name),
        });
        return spread(parts, tx, memberIds);
      }),

    /**
     * Rules for groups have the groups' members again: of all groups, or of these. `memberIds`: the only ones who may have moved.
     * Other moves wait for the lock, and see what this one wrote.
     */
    async followGroups(tx: Tx, moved: { groupIds: readonly string[]; memberIds: readonly string[] } | null) {
      await lockPlace(tx, "access_rules");
      const among = moved === null ? null : new Set(moved.memberIds);
      const isMeant = (id: string) => among === null || among.has(id);
      const changed = new Set<string>();
      for (const { id, group_id } of await repository.forGroups(tx, moved?.groupIds)) {
        const wanted = new Set((await groups.membersOf(tx, [group_id])).filter(isMeant));
        const has = new Set((await repository.memberIdsOf(tx, id)).filter(isMeant));
        const joined = [...wanted].filter((memberId) => !has.has(memberId));
        const left = [...has].filter((memberId) => !wanted.has(memberId));
        await repository.addMembers(tx, id, joined);
        await repository.removeMembers(tx, id, left);
        for (const memberId of [...joined, ...left]) changed.add(memberId);
      }
      if (changed.size > 0) await spread(parts, tx, [...changed]);
    },

    /** Without its group a rule is for nobody. */
    async forgetGroup(tx: Tx, group: { id: string; name: string; byId: string | null }): Promise<void> {
      await lockPlace(tx, "access_rules");
      const rules = await repository.forGroups(tx, [group.id]);
      if (rules.length === 0) return;
      const memberIds = new Set<string>();
      for (const rule of rules) for (const id of await repository.memberIdsOf(tx, rule.id)) memberIds.add(id);
      await repository.remove(tx, rules);
      await audit.recordAll(
        tx,
        rules.map((rule) => ({
          actorId: group.byId,
          action: "rule.deleted",
          target: rule.id,
          before: told(rule, [], group.name),
        })),
      );
      await spread(parts, tx, [...memberIds]);
    },

    /** A member was deleted: no rule names them any more, and a rule that named nobody else is deleted too. */
    async forgetMember(tx: Tx, memberId: string): Promise<void> {
      await lockPlace(tx, "access_rules");
      const { rules, empty } = await repository.forgetMember(tx, memberId);
      if (rules === 0) return;
      await repository.remove(tx, empty);
      for (const rule of empty)
        await audit.record(tx, null, "rule.deleted", { target: rule.id, before: told(rule, [memberId]) });
      await spread(parts, tx, [memberId]);
    },
  };
}

const sameIds = (sorted: readonly string[], other: readonly string[]) =>
  sorted.length === other.length && sorted.every((id, place) => id === other[place]);
