import type { NamedGroupAnswer } from "@krug/contract/members/groups";
import type { Db } from "../../../platform/database/database.ts";
import type { AccessRuleParts } from "./parts.ts";
import type { RuleRow } from "./table.ts";

/** The group that each of these rules is for. */
export async function groupsOf(
  groups: AccessRuleParts["groups"],
  db: Db,
  rows: readonly RuleRow[],
): Promise<(row: RuleRow) => NamedGroupAnswer | null> {
  const all = rows.some(({ group_id }) => group_id !== null) ? await groups.names(db) : [];
  return ({ group_id }) => all.find(({ id }) => id === group_id) ?? null;
}
