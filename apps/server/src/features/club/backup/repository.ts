import { type Db, lockPlace, type Tx } from "../../../platform/database/database.ts";
import type { BackupRow, BackupTables } from "./table.ts";

const tables = (over: Db | Tx) => over.withTables<BackupTables>();

export const find = (db: Db | Tx): Promise<BackupRow | undefined> =>
  tables(db).selectFrom("scheduled_backups").selectAll().executeTakeFirst();

/** The row, created if missing, locked until the transaction ends. */
export async function hold(tx: Tx, since: number): Promise<BackupRow> {
  await lockPlace(tx, "scheduled backups");
  const present = await find(tx);
  if (present !== undefined) return present;
  const row: BackupRow = {
    one: 1,
    since,
    tried_at: null,
    good_at: null,
    bytes: null,
    problem: null,
    told_at: null,
    place_kind: null,
    place: null,
    made_by: null,
    unproven: "[]",
  };
  await tables(tx).insertInto("scheduled_backups").values(row).execute();
  return row;
}

export async function change(tx: Tx, change: Partial<BackupRow>): Promise<void> {
  await tables(tx).updateTable("scheduled_backups").set(change).execute();
}
