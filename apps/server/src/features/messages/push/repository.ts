import { chunks, inChunks } from "../../../platform/database/chunks.ts";
import type { Db, Tx } from "../../../platform/database/database.ts";
import type { PushTables, SubscriptionRow } from "./table.ts";

const tables = (db: Db | Tx) => db.withTables<PushTables>();

export const keys = (db: Db | Tx): Promise<PushTables["push_keys"] | undefined> =>
  tables(db).selectFrom("push_keys").selectAll().where("name", "=", "club").executeTakeFirst();

export async function insertKeys(tx: Tx, row: PushTables["push_keys"]): Promise<void> {
  await tables(tx).insertInto("push_keys").values(row).execute();
}

/** A member's browsers, the newest first. */
export const ofMember = (db: Db | Tx, memberId: string): Promise<SubscriptionRow[]> =>
  tables(db)
    .selectFrom("push_subscriptions")
    .selectAll()
    .where("member_id", "=", memberId)
    .orderBy("created_at", "desc")
    .orderBy("id")
    .execute();

export const find = (db: Db, id: string): Promise<SubscriptionRow | undefined> =>
  tables(db).selectFrom("push_subscriptions").selectAll().where("id", "=", id).executeTakeFirst();

export const findByEndpoint = (db: Db | Tx, endpointHash: string): Promise<SubscriptionRow | undefined> =>
  tables(db).selectFrom("push_subscriptions").selectAll().where("endpoint_hash", "=", endpointHash).executeTakeFirst();

export const targetsOf = (
  tx: Tx,
  memberIds: readonly string[],
): Promise<Pick<SubscriptionRow, "id" | "member_id" | "session_id">[]> =>
  inChunks(memberIds, (ids) =>
    tables(tx).selectFrom("push_subscriptions").select(["id", "member_id", "session_id"]).where("member_id", "in", ids),
  );

export async function insert(tx: Tx, row: SubscriptionRow): Promise<void> {
  await tables(tx).insertInto("push_subscriptions").values(row).execute();
}

export async function update(tx: Tx, id: string, change: Partial<SubscriptionRow>): Promise<void> {
  await tables(tx).updateTable("push_subscriptions").set(change).where("id", "=", id).execute();
}

export async function remove(tx: Tx, ids: readonly string[]): Promise<void> {
  for (const some of chunks(ids)) await tables(tx).deleteFrom("push_subscriptions").where("id", "in", some).execute();
}

export const idsOf = async (rows: Promise<{ id: string }[]>): Promise<string[]> => (await rows).map(({ id }) => id);

export const idsOfSessions = (tx: Tx, sessionIds: readonly string[]): Promise<string[]> =>
  idsOf(tables(tx).selectFrom("push_subscriptions").select("id").where("session_id", "in", sessionIds).execute());

export const idsSeenBefore = (tx: Tx, at: number, limit: number): Promise<string[]> =>
  idsOf(tables(tx).selectFrom("push_subscriptions").select("id").where("seen_at", "<", at).limit(limit).execute());
