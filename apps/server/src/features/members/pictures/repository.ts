import type { Db, Tx } from "../../../platform/database/database.ts";
import type { PictureTables, UploadRow } from "./table.ts";

const uploads = (tx: Db | Tx) => tx.withTables<PictureTables>();

/** Repeating an upload restarts its time. */
export async function insert(tx: Tx, row: UploadRow): Promise<void> {
  await uploads(tx)
    .insertInto("uploaded_pictures")
    .values(row)
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ uploaded_at: row.uploaded_at }))
    .execute();
}

/** Removes all but a member's newest. */
export async function keepNewest(tx: Tx, memberId: string, count: number): Promise<void> {
  await uploads(tx)
    .deleteFrom("uploaded_pictures")
    .where("member_id", "=", memberId)
    .where("id", "not in", (e) =>
      e
        .selectFrom("uploaded_pictures")
        .select("id")
        .where("member_id", "=", memberId)
        .orderBy("uploaded_at", "desc")
        .orderBy("id")
        .limit(count),
    )
    .execute();
}

/** Takes a member's own upload and removes it from the uploads. */
export const take = (
  tx: Tx,
  upload: { id: string; memberId: string; since: number },
): Promise<Pick<UploadRow, "media" | "bytes"> | undefined> =>
  uploads(tx)
    .deleteFrom("uploaded_pictures")
    .where("id", "=", upload.id)
    .where("member_id", "=", upload.memberId)
    .where("uploaded_at", ">=", upload.since)
    .returning(["media", "bytes"])
    .executeTakeFirst();

export async function forgetOf(tx: Tx, memberId: string): Promise<void> {
  await uploads(tx).deleteFrom("uploaded_pictures").where("member_id", "=", memberId).execute();
}

export async function forgetBefore(tx: Tx, moment: number): Promise<void> {
  await uploads(tx).deleteFrom("uploaded_pictures").where("uploaded_at", "<", moment).execute();
}
