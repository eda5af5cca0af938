import { type Db, lockRows, type Tx } from "../../platform/database/database.ts";
import type { MemberRow, MemberTables } from "./table.ts";

const tables = (db: Db | Tx) => db.withTables<MemberTables>();
const living = (db: Db | Tx) => tables(db).selectFrom("members").selectAll().where("deleted_at", "is", null);

/** SQLite and PostgreSQL both take this many values in one `in`. */
const IDS_PER_QUERY = 1_000;

export const find = (db: Db | Tx, id: string): Promise<MemberRow | undefined> =>
  living(db).where("id", "=", id).executeTakeFirst();

export const findByUsername = (db: Db | Tx, username: string): Promise<MemberRow | undefined> =>
  living(db).where("username_key", "=", username.toLowerCase()).executeTakeFirst();

/** Where a path takes an id it also takes a username, id first (decisions, section 2). */
export const findByIdOrUsername = async (db: Db | Tx, text: string) =>
  (await find(db, text)) ?? (await findByUsername(db, text));

/** The member with his row locked until the transaction ends: limits are counted under it. */
export const lock = (tx: Tx, id: string): Promise<MemberRow | undefined> =>
  living(tx).where("id", "=", id).$call(lockRows(tx)).executeTakeFirst();

export async function byIds(db: Db | Tx, ids: readonly string[]): Promise<MemberRow[]> {
  const rows: MemberRow[] = [];
  for (let start = 0; start < ids.length; start += IDS_PER_QUERY)
    rows.push(
      ...(await living(db)
        .where("id", "in", ids.slice(start, start + IDS_PER_QUERY))
        .execute()),
    );
  return rows;
}

export async function idsBySubscriptionEnd(db: Db, after: number, until: number): Promise<string[]> {
  const rows = await tables(db)
    .selectFrom("members")
    .select("id")
    .where("deleted_at", "is", null)
    .where("subscription_end", ">", after)
    .where("subscription_end", "<=", until)
    .execute();
  return rows.map((row) => row.id);
}

export async function insert(tx: Tx, row: MemberRow): Promise<void> {
  await tables(tx).insertInto("members").values(row).execute();
}

export async function update(tx: Tx, id: string, change: Partial<Omit<MemberRow, "id">>): Promise<void> {
  await tables(tx).updateTable("members").set(change).where("id", "=", id).execute();
}

export async function isEmpty(db: Db | Tx): Promise<boolean> {
  return (await tables(db).selectFrom("members").select("id").limit(1).executeTakeFirst()) === undefined;
}

/** Admins that can sign in; the last one can't be demoted, blocked or deleted. Their rows stay locked. */
export async function lockActiveAdmins(tx: Tx): Promise<string[]> {
  const query = tables(tx)
    .selectFrom("members")
    .select("id")
    .where("role", "=", "admin")
    .where("is_active", "=", 1)
    .where("deleted_at", "is", null)
    .$call(lockRows(tx));
  return (await query.execute()).map((row) => row.id);
}
