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

const told = ({ type, kind, target }: RuleRow, memberIds: readonly string[]) => ({
  type,
  target: accessTargetForPeople({ kind, text: target }),
  appliesTo: memberIds.length === 0 ? "all" : memberIds.slice(0, IDS_TOLD),
  ...(memberIds.length > IDS_TOLD ? { memberCount: memberIds.length } : {}),
});

/** Reads what staff type; a rule without effect is refused rather than stored. */
export function readTarget(typed: string) {
  const target = parseAccessTarget(typed) ?? refuse("rule.target_invalid", { field: "target" });
  if (target.kind === "network" && isAlwaysClosed(target.text)) refuse("rule.target_closed", { field: "target" });
  return target;
}

/** Adds and deletes rules, audited; both answer the jobs that update the servers. */
export function makeRuleChanges(parts: AccessRuleParts) {
  const { transact, clock, names, members, audit } = parts;

  /** Rules are added one at a time, so that no limit is exceeded and no duplicate missed. */
  const refuseUnfit = async (tx: Tx, rule: RuleRow, memberIds: readonly string[]) => {
    await lockPlace(tx, "access_rules");
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
        (rule.applies_to === "selected" && sameIds(await repository.memberIdsOf(tx, other.id), memberIds));
      refuseIf(isSame ? "rule.exists" : null, { field: "target" });
    }
  };

  return {
    async add(actor: Actor, wish: NewAccessRuleInput): Promise<{ rule: RuleRow; jobIds: string[] }> {
      const target = readTarget(wish.target);
      const memberIds = wish.appliesTo === "all" ? [] : [...new Set(wish.appliesTo)].sort();
      // Before the transaction, which must not wait for the network.
      const found = target.kind === "name" ? await names.find(target.text) : null;
      return transact(async (tx) => {
        const now = clock.now().getTime();
        const rule: RuleRow = {
          id: randomUUID(),
          type: wish.type,
          kind: target.kind,
          target: target.text,
          applies_to: wish.appliesTo === "all" ? "all" : "selected",
          created_at: now,
        };
        await refuseUnfit(tx, rule, memberIds);
        if (found !== null) {
          const [before] = await repository.namesAmong(tx, [rule.target]);
          await repository.saveName(tx, afterAsking(before ?? null, rule.target, found, now));
        }
        await repository.insert(tx, rule, memberIds);
        await audit.record(tx, {
          actorId: actor.memberId,
          action: "rule.added",
          target: rule.id,
          after: told(rule, memberIds),
        });
        return { rule, jobIds: await spread(parts, tx, memberIds) };
      });
    },

    remove: (actor: Actor, id: string): Promise<string[]> =>
      transact(async (tx) => {
        await lockPlace(tx, "access_rules");
        const rule = (await repository.lock(tx, id)) ?? refuse("rule.not_found");
        const memberIds = await repository.memberIdsOf(tx, id);
        await repository.remove(tx, [rule]);
        await audit.record(tx, {
          actorId: actor.memberId,
          action: "rule.deleted",
          target: id,
          before: told(rule, memberIds),
        });
        return spread(parts, tx, memberIds);
      }),

    /** A member was deleted: no rule names them any more, and a rule that named nobody else is deleted too. */
    async forgetMember(tx: Tx, memberId: string): Promise<void> {
      await lockPlace(tx, "access_rules");
      const { rules, empty } = await repository.forgetMember(tx, memberId);
      if (rules === 0) return;
      await repository.remove(tx, empty);
      for (const rule of empty)
        await audit.record(tx, {
          actorId: null,
          action: "rule.deleted",
          target: rule.id,
          before: told(rule, [memberId]),
        });
      await spread(parts, tx, [memberId]);
    },
  };
}

const sameIds = (sorted: readonly string[], other: readonly string[]) =>
  sorted.length === other.length && sorted.every((id, place) => id === other[place]);
