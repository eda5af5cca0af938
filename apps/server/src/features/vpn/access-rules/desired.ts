import { groupBySelection } from "@krug/domain/access-rules";
import { minimalCidrs } from "@krug/wireguard/addresses";
import type { AccessLists, DesiredAccess } from "../../../hosts/host.ts";
import type { Db } from "../../../platform/database/database.ts";
import { groupBy } from "../../../platform/group-by.ts";
import { addressesOf } from "./names.ts";
import type { AccessRuleParts } from "./parts.ts";
import * as repository from "./repository.ts";
import type { NameRow, RuleRow } from "./table.ts";

/** Addresses and networks of a rule's target as currently known. */
export const networksOf = (rule: RuleRow, names: ReadonlyMap<string, NameRow>): string[] => {
  if (rule.kind === "network") return [rule.target];
  const name = names.get(rule.target);
  return name === undefined ? [] : addressesOf(name);
};

const listsOf = (rules: readonly RuleRow[], names: ReadonlyMap<string, NameRow>): AccessLists => {
  const networks = (type: RuleRow["type"]) =>
    minimalCidrs(rules.flatMap((rule) => (rule.type === type ? networksOf(rule, names) : [])));
  return { allowed: networks("whitelist"), denied: networks("blacklist") };
};

/** The rules by tunnel addresses. A member without a device there, and a rule without an address, are left out. */
export function accessBy(
  rules: readonly RuleRow[],
  names: ReadonlyMap<string, NameRow>,
  groups: ReturnType<typeof groupBySelection>,
  addresses: ReadonlyMap<string, readonly string[]>,
): DesiredAccess {
  const ruleOf = new Map(rules.map((rule) => [rule.id, rule]));
  return {
    everyone: listsOf(
      rules.filter((rule) => rule.applies_to === "all"),
      names,
    ),
    groups: groups.flatMap(({ ruleIds, memberIds }) => {
      const sources = memberIds.flatMap((id) => addresses.get(id) ?? []).sort();
      const lists = listsOf(
        ruleIds.flatMap((id) => ruleOf.get(id) ?? []),
        names,
      );
      const isEmpty = sources.length === 0 || lists.allowed.length + lists.denied.length === 0;
      return isEmpty ? [] : [{ ...lists, sources }];
    }),
  };
}

/**
 * The rules a server should have, and their revision. A member's addresses are those of all their devices there, on the wire or
 * not: no peer is ever there without its rules.
 */
export async function desiredAccess(
  { interfaces, configs }: AccessRuleParts,
  db: Db,
  serverId: string,
): Promise<{ revision: number; access: DesiredAccess }> {
  // First: a change made meanwhile may already be in the answer, and is then applied twice.
  const revision = await repository.revision(db);
  const rules = await repository.all(db);
  const names = new Map((await repository.names(db)).map((row) => [row.name, row]));
  const selections = groupBy(await repository.selections(db), (row) => row.rule_id);
  const groups = groupBySelection(
    [...selections].map(([ruleId, rows]) => ({ ruleId, memberIds: rows.map((row) => row.member_id) })),
  );
  const addresses = await configs.addressesOf(
    db,
    groups.flatMap(({ memberIds }) => memberIds),
    (await interfaces.ofServer(db, serverId)).map((row) => row.id),
  );
  return { revision, access: accessBy(rules, names, groups, addresses) };
}
