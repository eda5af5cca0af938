import { MOST_GROUPS } from "@krug/domain/group-rules";
import type { Expression } from "kysely";
import { chunks } from "../../../platform/database/chunks.ts";
import { type Db, isPostgres, lockRows, type Tx } from "../../../platform/database/database.ts";
import { prepared } from "../../../platform/database/prepared.ts";
import type { GroupRow, GroupTables } from "./table.ts";

const tables = (db: Db | Tx) => db.withTables<GroupTables>();
const groups = (db: Db | Tx) => tables(db).selectFrom("member_groups").selectAll();

export const all = (db: Db | Tx): Promise<GroupRow[]> => groups(db).orderBy("name_key").limit(MOST_GROUPS).execute();

export const lock = (tx: Tx, id: string): Promise<GroupRow | undefined> =>
  groups(tx).where("id", "=", id).$call(lockRows(tx)).executeTakeFirst();

/** Those of these that exist. They cannot be deleted before the transaction ends. */
export const hold = async (tx: Tx, ids: readonly string[]): Promise<GroupRow[]> =>
  ids.length === 0
    ? []
    : groups(tx)
        .where("id", "in", [...ids])
        .orderBy("id")
        .$if(isPostgres(tx), (query) => query.forKeyShare())
        .execute();

export async function insert(tx: Tx, row: GroupRow): Promise<void> {
  await tables(tx).insertInto("member_groups").values(row).execute();
}

export async function update(tx: Tx, id: string, change: Partial<Omit<GroupRow, "id">>): Promise<void> {
  await tables(tx).updateTable("member_groups").set(change).where("id", "=", id).execute();
}

export async function remove(tx: Tx, id: string): Promise<void> {
  await tables(tx).deleteFrom("group_members").where("group_id", "=", id).execute();
  await tables(tx).deleteFrom("member_groups").where("id", "=", id).execute();
}

/** For another feature's `id in (…)` of members. */
export const memberIds = (db: Db | Tx, groupId: string) =>
  tables(db).selectFrom("group_members").select("member_id").where("group_id", "=", groupId).$asScalar();

export async function membersOf(db: Db | Tx, groupIds: readonly string[]): Promise<string[]> {
  if (groupIds.length === 0) return [];
  const rows = await tables(db)
    .selectFrom("group_members")
    .select("member_id")
    .distinct()
    .where("group_id", "in", [...groupIds])
    .execute();
  return rows.map((row) => row.member_id);
}

/** How many members each has; `hidden`: members who do not count. Absent if nobody. */
export async function counts(db: Db, hidden: Expression<string> | null): Promise<Map<string, number>> {
  const rows = await tables(db)
    .selectFrom("group_members")
    .select((e) => ["group_id", e.fn.countAll<number>().as("members")])
    .$if(hidden !== null, (query) => query.where("member_id", "not in", hidden as Expression<string>))
    .groupBy("group_id")
    .execute();
  return new Map(rows.map((row) => [row.group_id, Number(row.members)]));
}

/** Every group that each of these members is in, by name. */
export async function ofThese(db: Db | Tx, ids: readonly string[]) {
  const rows: { member_id: string; id: string; name: string }[] = [];
  for (const some of chunks(ids))
    rows.push(
      ...(await tables(db)
        .selectFrom("group_members")
        .innerJoin("member_groups", "member_groups.id", "group_members.group_id")
        .select(["member_id", "id", "name"])
        .where("member_id", "in", some)
        .orderBy("name_key")
        .execute()),
    );
  return rows;
}

export async function join(tx: Tx, pairs: readonly GroupTables["group_members"][]): Promise<void> {
  for (const some of chunks(pairs))
    await tables(tx)
      .insertInto("group_members")
      .values(some)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}

export async function leave(tx: Tx, groupIds: readonly string[], ids: readonly string[]): Promise<void> {
  if (groupIds.length === 0) return;
  for (const some of chunks(ids))
    await tables(tx)
      .deleteFrom("group_members")
      .where("group_id", "in", [...groupIds])
      .where("member_id", "in", some)
      .execute();
}

export async function removeAllOf(tx: Tx, memberId: string): Promise<void> {
  await tables(tx).deleteFrom("group_members").where("member_id", "=", memberId).execute();
}

/** The interface lists of a member's groups. */
export const interfacesOf = prepared((db, { memberId }: { memberId: string }) =>
  tables(db)
    .selectFrom("group_members")
    .innerJoin("member_groups", "member_groups.id", "group_members.group_id")
    .select("interface_ids")
    .where("member_id", "=", memberId),
);
