import { type Db, lockRows, type Tx } from "../../../platform/database/database.ts";
import type { DrainRow, DrainTables } from "./table.ts";

const tables = (over: Db | Tx) => over.withTables<DrainTables>();

export async function insert(tx: Tx, row: DrainRow): Promise<void> {
  await tables(tx).insertInto("emptyings").values(row).execute();
}

export async function update(tx: Tx, id: string, change: Partial<DrainRow>): Promise<void> {
  await tables(tx).updateTable("emptyings").set(change).where("id", "=", id).execute();
}

export const lock = (tx: Tx, id: string): Promise<DrainRow | undefined> =>
  tables(tx).selectFrom("emptyings").selectAll().where("id", "=", id).$call(lockRows(tx)).executeTakeFirst();

/** `interfaceId`: null for the whole server. */
export const runningOf = (
  over: Db | Tx,
  { serverId, interfaceId }: { serverId: string; interfaceId: string | null },
): Promise<DrainRow | undefined> =>
  tables(over)
    .selectFrom("emptyings")
    .selectAll()
    .where("from_server", "=", serverId)
    .where("from_interface", interfaceId === null ? "is" : "=", interfaceId)
    .where("state", "=", "running")
    .executeTakeFirst();

/** Running ones, and those that ended since then; the latest first. */
export const since = (over: Db | Tx, endedAfter: number): Promise<DrainRow[]> =>
  tables(over)
    .selectFrom("emptyings")
    .selectAll()
    .where((e) => e.or([e("ended_at", ">", endedAfter), e("state", "=", "running")]))
    .orderBy("started_at", "desc")
    .orderBy("id")
    .limit(1_000)
    .execute();

/** In progress, or done and waiting for the last devices, at `now`, ms. */
export const rotationOf = (over: Db | Tx, interfaceId: string, now: number): Promise<DrainRow | undefined> =>
  tables(over)
    .selectFrom("emptyings")
    .selectAll()
    .where("from_interface", "=", interfaceId)
    .where("stay_until", ">", now)
    .where("state", "<>", "stopped")
    .orderBy("started_at", "desc")
    .limit(1)
    .executeTakeFirst();

/** Interfaces that have new parameters elsewhere, and may be deleted. */
export const rotated = (over: Db | Tx): Promise<DrainRow[]> =>
  tables(over)
    .selectFrom("emptyings")
    .selectAll()
    .where("stay_until", "is not", null)
    .where("state", "=", "done")
    .orderBy("id")
    .execute();

export async function removeBefore(tx: Tx, endedBefore: number): Promise<void> {
  await tables(tx)
    .deleteFrom("emptyings")
    .where("ended_at", "<", endedBefore)
    .where((e) => e.or([e("stay_until", "is", null), e("stay_until", "<", endedBefore)]))
    .execute();
}
