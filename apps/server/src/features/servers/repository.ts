import { type Db, lockRows, type Tx } from "../../platform/database/database.ts";
import type { AssignedPage, Visible } from "./assigning.ts";
import type { ServerRow, ServerTables } from "./table.ts";

const tables = (db: Db | Tx) => db.withTables<ServerTables>();
const living = (db: Db | Tx) => tables(db).selectFrom("servers").selectAll().where("deleted_at", "is", null);

/** All servers, the oldest first; a club has tens of them at the most. */
export const all = (db: Db | Tx): Promise<ServerRow[]> => living(db).orderBy("created_at").orderBy("id").execute();

/** Deleted ones too. */
export const ever = (db: Db | Tx): Promise<Pick<ServerRow, "id" | "name">[]> =>
  tables(db).selectFrom("servers").select(["id", "name"]).execute();

export const find = (db: Db | Tx, id: string): Promise<ServerRow | undefined> =>
  living(db).where("id", "=", id).executeTakeFirst();

export const lock = (tx: Tx, id: string): Promise<ServerRow | undefined> =>
  living(tx).where("id", "=", id).$call(lockRows(tx)).executeTakeFirst();

export async function insert(tx: Tx, row: ServerRow): Promise<void> {
  await tables(tx).insertInto("servers").values(row).execute();
}

export async function update(tx: Tx, id: string, change: Partial<Omit<ServerRow, "id">>): Promise<void> {
  await tables(tx).updateTable("servers").set(change).where("id", "=", id).execute();
}

/** One server is the main one, and no other. */
export async function setMain(tx: Tx, id: string): Promise<void> {
  await tables(tx).updateTable("servers").set({ is_main: 0 }).where("is_main", "=", 1).where("id", "<>", id).execute();
  await update(tx, id, { is_main: 1 });
}

/** Ids of the servers that are assigned to a member. */
export async function assignedTo(db: Db | Tx, memberId: string): Promise<string[]> {
  const rows = await tables(db)
    .selectFrom("server_assignments")
    .innerJoin("servers", "servers.id", "server_assignments.server_id")
    .select("server_id")
    .where("member_id", "=", memberId)
    .where("servers.deleted_at", "is", null)
    .execute();
  return rows.map((row) => row.server_id);
}

export async function assign(tx: Tx, memberId: string, id: string): Promise<boolean> {
  const written = await tables(tx)
    .insertInto("server_assignments")
    .values({ member_id: memberId, server_id: id })
    .onConflict((conflict) => conflict.doNothing())
    .returning("member_id")
    .executeTakeFirst();
  return written !== undefined;
}

export async function unassign(tx: Tx, memberId: string, id: string): Promise<boolean> {
  const gone = await tables(tx)
    .deleteFrom("server_assignments")
    .where("member_id", "=", memberId)
    .where("server_id", "=", id)
    .returning("member_id")
    .executeTakeFirst();
  return gone !== undefined;
}

export async function unassignAllOf(tx: Tx, memberId: string): Promise<void> {
  await tables(tx).deleteFrom("server_assignments").where("member_id", "=", memberId).execute();
}

export async function unassignAll(tx: Tx, id: string): Promise<void> {
  await tables(tx).deleteFrom("server_assignments").where("server_id", "=", id).execute();
}

export async function assignedPage(db: Db, id: string, { among, after, limit }: AssignedPage): Promise<string[]> {
  const rows = await tables(db)
    .selectFrom("server_assignments")
    .select("member_id")
    .where("server_id", "=", id)
    .$if(among !== null, (query) => query.where("member_id", "in", among as Visible))
    .$if(after !== undefined, (query) => query.where("member_id", ">", after ?? ""))
    .orderBy("member_id")
    .limit(limit)
    .execute();
  return rows.map((row) => row.member_id);
}

export async function assignedCount(db: Db, id: string, among: AssignedPage["among"]): Promise<number> {
  const row = await tables(db)
    .selectFrom("server_assignments")
    .select((e) => e.fn.countAll<number>().as("members"))
    .where("server_id", "=", id)
    .$if(among !== null, (query) => query.where("member_id", "in", among as Visible))
    .executeTakeFirstOrThrow();
  return Number(row.members);
}

/** How many members each server is assigned to, of these alone where they are given; one with none is absent. */
export async function assignedCounts(db: Db, among: AssignedPage["among"]): Promise<Map<string, number>> {
  const rows = await tables(db)
    .selectFrom("server_assignments")
    .select((e) => ["server_id", e.fn.countAll<number>().as("members")])
    .$if(among !== null, (query) => query.where("member_id", "in", among as Visible))
    .groupBy("server_id")
    .execute();
  return new Map(rows.map((row) => [row.server_id, Number(row.members)]));
}
