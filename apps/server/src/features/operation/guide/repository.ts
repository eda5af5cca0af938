import type { Db, Tx } from "../../../platform/database/database.ts";
import type { GuideTables } from "./table.ts";

const tables = (db: Db | Tx) => db.withTables<GuideTables>();

export async function isDismissed(db: Db, memberId: string): Promise<boolean> {
  const row = await tables(db)
    .selectFrom("guide_dismissals")
    .select("member_id")
    .where("member_id", "=", memberId)
    .executeTakeFirst();
  return row !== undefined;
}

export async function dismiss(tx: Tx, memberId: string, at: number): Promise<void> {
  await tables(tx)
    .insertInto("guide_dismissals")
    .values({ member_id: memberId, at })
    .onConflict((conflict) => conflict.column("member_id").doNothing())
    .execute();
}

export async function forget(tx: Tx, memberId: string): Promise<void> {
  await tables(tx).deleteFrom("guide_dismissals").where("member_id", "=", memberId).execute();
}
