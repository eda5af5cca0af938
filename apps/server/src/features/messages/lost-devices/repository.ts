import { type Db, lockRows, type Tx } from "../../../platform/database/database.ts";
import type { LostDeviceTables, ReportRow } from "./table.ts";

const tables = (db: Db | Tx) => db.withTables<LostDeviceTables>();

const of = (db: Db | Tx, memberId: string) =>
  tables(db).selectFrom("lost_devices").selectAll().where("member_id", "=", memberId);

export const find = (db: Db, memberId: string): Promise<ReportRow | undefined> => of(db, memberId).executeTakeFirst();

export const lock = (tx: Tx, memberId: string): Promise<ReportRow | undefined> =>
  of(tx, memberId).$call(lockRows(tx)).executeTakeFirst();

export async function write(tx: Tx, row: ReportRow): Promise<void> {
  const { member_id: _, ...rest } = row;
  await tables(tx)
    .insertInto("lost_devices")
    .values(row)
    .onConflict((conflict) => conflict.column("member_id").doUpdateSet(rest))
    .execute();
}

export async function remove(tx: Tx, memberId: string): Promise<void> {
  await tables(tx).deleteFrom("lost_devices").where("member_id", "=", memberId).execute();
}

export async function removeBefore(tx: Tx, at: number): Promise<void> {
  await tables(tx).deleteFrom("lost_devices").where("asked_at", "<=", at).execute();
}
