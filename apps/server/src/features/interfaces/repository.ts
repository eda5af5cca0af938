import { type Db, lockRows, type Tx } from "../../platform/database/database.ts";
import type { AssignedPage, Visible } from "../servers/index.ts";
import type { InterfaceRow, InterfaceTables } from "./table.ts";

const tables = (db: Db | Tx) => db.withTables<InterfaceTables>();
const living = (db: Db | Tx) => tables(db).selectFrom("interfaces").selectAll().where("deleted_at", "is", null);

export const all = (db: Db | Tx): Promise<InterfaceRow[]> => living(db).orderBy("created_at").orderBy("id").execute();

/** Deleted ones too: what was used of them stays. */
export const ever = (db: Db | Tx): Promise<Pick<InterfaceRow, "id" | "name" | "server_id">[]> =>
  tables(db).selectFrom("interfaces").select(["id", "name", "server_id"]).execute();

export const find = (db: Db | Tx, id: string): Promise<InterfaceRow | undefined> =>
  living(db).where("id", "=", id).executeTakeFirst();

export const ofServer = (db: Db | Tx, serverId: string): Promise<InterfaceRow[]> =>
  living(db).where("server_id", "=", serverId).orderBy("created_at").orderBy("id").execute();

/** Keys of every interface this panel ever made on the server, deleted ones too: only these are touched there. */
export async function keysEverOn(db: Db | Tx, serverId: string): Promise<string[]> {
  const rows = await tables(db)
    .selectFrom("interfaces")
    .select("public_key")
    .where("server_id", "=", serverId)
    .execute();
  return rows.map((row) => row.public_key);
}

/** Locked until the transaction ends, so that one address is handed out once. */
export const lock = (tx: Tx, id: string): Promise<InterfaceRow | undefined> =>
  living(tx).where("id", "=", id).$call(lockRows(tx)).executeTakeFirst();

export async function exist(db: Db | Tx, ids: readonly string[]): Promise<boolean> {
  const distinct = [...new Set(ids)];
  if (distinct.length === 0) return true;
  return (await living(db).where("id", "in", distinct).execute()).length === distinct.length;
}

/** Ids of the interfaces that are assigned to a member. */
export async function assignedTo(db: Db | Tx, memberId: string): Promise<string[]> {
  const rows = await tables(db)
    .selectFrom("interface_assignments")
    .innerJoin("interfaces", "interfaces.id", "interface_assignments.interface_id")
    .select("interface_id")
    .where("member_id", "=", memberId)
    .where("interfaces.deleted_at", "is", null)
    .execute();
  return rows.map((row) => row.interface_id);
}

/** Lets the member make configs on these interfaces; what he has already stays. */
export async function assign(tx: Tx, memberId: string, ids: readonly string[]): Promise<void> {
  const rows = [...new Set(ids)].map((interface_id) => ({ member_id: memberId, interface_id }));
  if (rows.length === 0) return;
  await tables(tx)
    .insertInto("interface_assignments")
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Gives a member the interfaces that another one has assigned. */
export async function copyAssignments(tx: Tx, fromMemberId: string, toMemberId: string): Promise<void> {
  await assign(tx, toMemberId, await assignedTo(tx, fromMemberId));
}

export async function insert(tx: Tx, row: InterfaceRow): Promise<void> {
  await tables(tx).insertInto("interfaces").values(row).execute();
}

export async function update(tx: Tx, id: string, change: Partial<Omit<InterfaceRow, "id">>): Promise<void> {
  await tables(tx).updateTable("interfaces").set(change).where("id", "=", id).execute();
}

/** False where it was assigned already. */
export async function assignOne(tx: Tx, memberId: string, id: string): Promise<boolean> {
  const written = await tables(tx)
    .insertInto("interface_assignments")
    .values({ member_id: memberId, interface_id: id })
    .onConflict((conflict) => conflict.doNothing())
    .returning("member_id")
    .executeTakeFirst();
  return written !== undefined;
}

export async function unassign(tx: Tx, memberId: string, id: string): Promise<boolean> {
  const gone = await tables(tx)
    .deleteFrom("interface_assignments")
    .where("member_id", "=", memberId)
    .where("interface_id", "=", id)
    .returning("member_id")
    .executeTakeFirst();
  return gone !== undefined;
}

export async function unassignAllOf(tx: Tx, memberId: string): Promise<void> {
  await tables(tx).deleteFrom("interface_assignments").where("member_id", "=", memberId).execute();
}

export async function unassignAll(tx: Tx, id: string): Promise<void> {
  await tables(tx).deleteFrom("interface_assignments").where("interface_id", "=", id).execute();
}

export async function assignedPage(db: Db, id: string, { among, after, limit }: AssignedPage): Promise<string[]> {
  const rows = await tables(db)
    .selectFrom("interface_assignments")
    .select("member_id")
    .where("interface_id", "=", id)
    .$if(among !== null, (query) => query.where("member_id", "in", among as Visible))
    .$if(after !== undefined, (query) => query.where("member_id", ">", after ?? ""))
    .orderBy("member_id")
    .limit(limit)
    .execute();
  return rows.map((row) => row.member_id);
}

export async function assignedCount(db: Db, id: string, among: AssignedPage["among"]): Promise<number> {
  const row = await tables(db)
    .selectFrom("interface_assignments")
    .select((e) => e.fn.countAll<number>().as("members"))
    .where("interface_id", "=", id)
    .$if(among !== null, (query) => query.where("member_id", "in", among as Visible))
    .executeTakeFirstOrThrow();
  return Number(row.members);
}

/** How many members each interface is assigned to, of these alone where they are given; one with none is absent. */
export async function assignedCounts(db: Db, among: AssignedPage["among"]): Promise<Map<string, number>> {
  const rows = await tables(db)
    .selectFrom("interface_assignments")
    .select((e) => ["interface_id", e.fn.countAll<number>().as("members")])
    .$if(among !== null, (query) => query.where("member_id", "in", among as Visible))
    .groupBy("interface_id")
    .execute();
  return new Map(rows.map((row) => [row.interface_id, Number(row.members)]));
}
