import type { RuleType } from "@krug/domain/access-rules";
import { HONEST_SKEW_MS } from "@krug/domain/moment";
import { sql } from "kysely";
import { chunks, inChunks } from "../../../platform/database/chunks.ts";
import { type Db, lockRows, type Tx } from "../../../platform/database/database.ts";
import { preparedForList } from "../../../platform/database/prepared.ts";
import type { Place } from "../../../platform/pages.ts";
import type { Members } from "../../members/members/index.ts";
import type { AccessRuleTables, NameRow, OnServerRow, RuleRow } from "./table.ts";

const tables = (db: Db | Tx) => db.withTables<AccessRuleTables>();

/** Members whom the reader may not see, for `member_id not in (…)`; null: none. */
type Hidden = ReturnType<Members["vipIds"]> | null;

export interface RuleSearch {
  type?: RuleType | undefined;
  /** In the target, regardless of case. */
  text?: string | undefined;
  /** Targets whose readable spelling contains the text, though their stored one does not. */
  spelled?: readonly string[];
  /** A rule for these members only is hidden from the reader. */
  hidden: Hidden;
}

const found = (db: Db | Tx, { type, text, spelled = [], hidden }: RuleSearch) => {
  const pattern = `%${(text ?? "").toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
  return tables(db)
    .selectFrom("access_rules")
    .$if(type !== undefined, (query) => query.where("type", "=", type ?? "blacklist"))
    .$if(text !== undefined && text !== "", (query) =>
      query.where((e) =>
        e.or([
          sql<boolean>`${e.ref("target")} like ${pattern} escape '\\'`,
          ...(spelled.length === 0 ? [] : [e("target", "in", [...spelled])]),
        ]),
      ),
    )
    .$if(hidden !== null, (query) =>
      query.where((e) =>
        e.or([
          e("applies_to", "=", "all"),
          e("group_id", "is not", null),
          e.exists(
            e
              .selectFrom("access_rule_members")
              .select("member_id")
              .whereRef("rule_id", "=", "access_rules.id")
              .where("member_id", "not in", hidden as NonNullable<Hidden>),
          ),
        ]),
      ),
    );
};

/** Rules' domains stored in ASCII ('xn--…') and not in their readable spelling. */
export const foreignNames = async (db: Db): Promise<string[]> => {
  const query = tables(db).selectFrom("access_rules").select("target").distinct().where("kind", "=", "name");
  return (await query.where("target", "like", "%xn--%").execute()).map(({ target }) => target);
};

/** The newest first; `after`: the last row of the previous page. */
export const page = (db: Db, wish: RuleSearch, limit: number, after: Place | undefined): Promise<RuleRow[]> =>
  found(db, wish)
    .selectAll()
    .$if(after !== undefined, (query) =>
      query.where((e) => sql<boolean>`(${e.ref("created_at")}, ${e.ref("id")}) < (${after?.key}, ${after?.id})`),
    )
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();

export const count = async (db: Db | Tx, wish: RuleSearch): Promise<number> => {
  const row = await found(db, wish)
    .select(({ fn }) => fn.countAll().as("rules"))
    .executeTakeFirst();
  return Number(row?.rules ?? 0);
};

export const all = (db: Db | Tx): Promise<RuleRow[]> =>
  tables(db).selectFrom("access_rules").selectAll().orderBy("created_at").orderBy("id").execute();

export const find = async (db: Db | Tx, id: string, hidden: Hidden): Promise<RuleRow | undefined> =>
  found(db, { hidden }).selectAll().where("id", "=", id).executeTakeFirst();

export const lock = (tx: Tx, id: string): Promise<RuleRow | undefined> =>
  tables(tx).selectFrom("access_rules").selectAll().where("id", "=", id).$call(lockRows(tx)).executeTakeFirst();

export const about = (tx: Tx, type: RuleType, target: string): Promise<RuleRow[]> =>
  tables(tx).selectFrom("access_rules").selectAll().where("type", "=", type).where("target", "=", target).execute();

export async function insert(tx: Tx, row: RuleRow, memberIds: readonly string[]): Promise<void> {
  await tables(tx).insertInto("access_rules").values(row).execute();
  await addMembers(tx, row.id, memberIds);
}

export async function addMembers(tx: Tx, ruleId: string, memberIds: readonly string[]): Promise<void> {
  for (const some of chunks(memberIds))
    await tables(tx)
      .insertInto("access_rule_members")
      .values(some.map((member_id) => ({ rule_id: ruleId, member_id })))
      .execute();
}

export async function removeMembers(tx: Tx, ruleId: string, memberIds: readonly string[]): Promise<void> {
  for (const some of chunks(memberIds))
    await tables(tx)
      .deleteFrom("access_rule_members")
      .where("rule_id", "=", ruleId)
      .where("member_id", "in", some)
      .execute();
}

/** Rules for groups; `groupIds`: only for these. */
export async function forGroups(db: Db | Tx, groupIds?: readonly string[]) {
  if (groupIds?.length === 0) return [];
  return tables(db)
    .selectFrom("access_rules")
    .selectAll()
    .$narrowType<{ group_id: string }>()
    .where("group_id", "is not", null)
    .$if(groupIds !== undefined, (query) => query.where("group_id", "in", [...(groupIds ?? [])]))
    .orderBy("id")
    .execute();
}

/** How many rules there are for each group; absent if none. */
export async function countsByGroup(db: Db | Tx): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { group_id } of await forGroups(db)) counts.set(group_id, (counts.get(group_id) ?? 0) + 1);
  return counts;
}

/** Deletes the rules, and those of their names that no other rule uses. */
export async function remove(tx: Tx, rows: readonly RuleRow[]): Promise<void> {
  const ids = rows.map(({ id }) => id);
  for (const some of chunks(ids)) {
    await tables(tx).deleteFrom("access_rule_members").where("rule_id", "in", some).execute();
    await tables(tx).deleteFrom("access_rules").where("id", "in", some).execute();
  }
  for (const some of chunks(rows.map(({ target }) => target)))
    await tables(tx)
      .deleteFrom("access_rule_names")
      .where("name", "in", some)
      .where("name", "not in", (e) => e.selectFrom("access_rules").select("target").where("kind", "=", "name"))
      .execute();
}

export const memberIdsOf = async (tx: Tx, ruleId: string): Promise<string[]> => {
  const query = tables(tx).selectFrom("access_rule_members").select("member_id").where("rule_id", "=", ruleId);
  return (await query.orderBy("member_id").execute()).map((row) => row.member_id);
};

/** For `id in (…)` of members: those whom a rule names. */
export const selectedIds = (db: Db, ruleId: string) =>
  tables(db).selectFrom("access_rule_members").select("member_id").where("rule_id", "=", ruleId).$asScalar();

/** How many members each of these rules is for, and the first of their ids, at most `few`. */
export async function selectedOf(db: Db, ruleIds: readonly string[], few: number, hidden: Hidden) {
  const selected = new Map<string, { count: number; ids: string[] }>();
  if (ruleIds.length === 0) return selected;
  const numbered = tables(db)
    .selectFrom("access_rule_members")
    .select(["rule_id", "member_id"])
    .select(sql<number>`row_number() over (partition by rule_id order by member_id)`.as("place"))
    .select(sql<number>`count(*) over (partition by rule_id)`.as("members"))
    .where("rule_id", "in", [...ruleIds])
    .$if(hidden !== null, (query) => query.where("member_id", "not in", hidden as NonNullable<Hidden>));
  const rows = await db
    .selectFrom(numbered.as("numbered"))
    .selectAll()
    .where("place", "<=", few)
    .orderBy("place")
    .execute();
  for (const { rule_id, member_id, members } of rows) {
    const of = selected.get(rule_id) ?? { count: Number(members), ids: [] };
    of.ids.push(member_id);
    selected.set(rule_id, of);
  }
  return selected;
}

/** Every rule for selected members, with its members. */
export const selections = (db: Db | Tx): Promise<AccessRuleTables["access_rule_members"][]> =>
  tables(db).selectFrom("access_rule_members").selectAll().orderBy("rule_id").orderBy("member_id").execute();

/** Ids of the rules that name this member. */
export const rulesNaming = async (db: Db, memberId: string): Promise<string[]> => {
  const query = tables(db).selectFrom("access_rule_members").select("rule_id").where("member_id", "=", memberId);
  return (await query.execute()).map((row) => row.rule_id);
};

export async function countSelections(tx: Tx): Promise<number> {
  const row = await tables(tx)
    .selectFrom("access_rule_members")
    .select(({ fn }) => fn.countAll().as("rows"))
    .executeTakeFirst();
  return Number(row?.rows ?? 0);
}

/** Those of these members whom some rule names. */
export async function namedAmong(db: Db | Tx, memberIds: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>();
  for (const some of chunks(memberIds)) for (const { member_id } of await someNamed(db, some)) found.add(member_id);
  return found;
}
const someNamed = preparedForList((db, memberIds) =>
  tables(db).selectFrom("access_rule_members").select("member_id").distinct().where("member_id", "in", memberIds),
);

/** Takes a member out of all rules; returns those that now name nobody. */
export async function forgetMember(tx: Tx, memberId: string): Promise<{ rules: number; empty: RuleRow[] }> {
  const left = await tables(tx)
    .deleteFrom("access_rule_members")
    .where("member_id", "=", memberId)
    .returning("rule_id")
    .execute();
  const ids = left.map((row) => row.rule_id);
  const empty: RuleRow[] = [];
  for (const some of chunks(ids))
    empty.push(
      ...(await tables(tx)
        .selectFrom("access_rules")
        .selectAll()
        .where("id", "in", some)
        // A group may be empty.
        .where("group_id", "is", null)
        .where("id", "not in", (e) => e.selectFrom("access_rule_members").select("rule_id"))
        .execute()),
    );
  return { rules: ids.length, empty };
}

export const names = (db: Db | Tx): Promise<NameRow[]> =>
  tables(db).selectFrom("access_rule_names").selectAll().execute();

export const namesAmong = (db: Db | Tx, wanted: readonly string[]): Promise<NameRow[]> =>
  inChunks(wanted, (some) => tables(db).selectFrom("access_rule_names").selectAll().where("name", "in", some));

/**
 * Names last looked up before `askedBefore`, or before `unfoundBefore` if nothing was ever found, or at a future time; the
 * longest ago first.
 */
export const namesDue = (
  db: Db,
  { now, askedBefore, unfoundBefore }: { now: number; askedBefore: number; unfoundBefore: number },
  limit: number,
): Promise<NameRow[]> =>
  tables(db)
    .selectFrom("access_rule_names")
    .selectAll()
    .where((e) =>
      e.or([
        e("asked_at", "<=", askedBefore),
        e.and([e("asked_at", "<=", unfoundBefore), e("found_at", "is", null)]),
        e("asked_at", ">", now + HONEST_SKEW_MS),
      ]),
    )
    .orderBy("asked_at")
    .limit(limit)
    .execute();

/** Only while a rule still has the name; false if none does. */
export async function updateName(tx: Tx, row: NameRow): Promise<boolean> {
  const { name, ...change } = row;
  const written = await tables(tx)
    .updateTable("access_rule_names")
    .set(change)
    .where("name", "=", name)
    .returning("name")
    .executeTakeFirst();
  return written !== undefined;
}

export async function saveName(tx: Tx, row: NameRow): Promise<void> {
  const { name: _, ...change } = row;
  await tables(tx)
    .insertInto("access_rule_names")
    .values(row)
    .onConflict((conflict) => conflict.column("name").doUpdateSet(change))
    .execute();
}

export async function revision(db: Db | Tx): Promise<number> {
  const row = await tables(db).selectFrom("access_rule_revision").select("revision").executeTakeFirstOrThrow();
  return Number(row.revision);
}

/** The newest revision that concerns anybody but VIP members. */
export async function openRevision(db: Db | Tx): Promise<number> {
  const row = await tables(db).selectFrom("access_rule_revision").select("open_revision").executeTakeFirstOrThrow();
  return Number(row.open_revision);
}

/** From now on servers have an older revision. */
export async function nextRevision(tx: Tx, { isVips }: { isVips: boolean }): Promise<void> {
  await tables(tx)
    .updateTable("access_rule_revision")
    .set((e) => ({
      revision: e("revision", "+", 1),
      ...(isVips ? {} : { open_revision: e("revision", "+", 1) }),
    }))
    .execute();
}

export const onServers = (db: Db | Tx): Promise<OnServerRow[]> =>
  tables(db).selectFrom("access_rules_on_servers").selectAll().execute();

export async function saveOnServer(tx: Tx, row: OnServerRow): Promise<void> {
  const { server_id: _, ...change } = row;
  await tables(tx)
    .insertInto("access_rules_on_servers")
    .values(row)
    .onConflict((conflict) => conflict.column("server_id").doUpdateSet(change))
    .execute();
}
