import { type Db, lockRows, type Tx } from "../../../platform/database/database.ts";
import type { ConfigTables, FileLinkRow } from "./table.ts";

const tables = (db: Db | Tx) => db.withTables<ConfigTables>();

export async function insertFileLink(tx: Tx, row: FileLinkRow): Promise<void> {
  await tables(tx).insertInto("file_links").values(row).execute();
}

const validAt = (db: Db | Tx, tokenHash: string, at: number) =>
  tables(db).selectFrom("file_links").selectAll().where("token_hash", "=", tokenHash).where("expires_at", ">", at);

/** A link that is valid at `at`, ms. */
export const findFileLink = (db: Db, tokenHash: string, at: number): Promise<FileLinkRow | undefined> =>
  validAt(db, tokenHash, at).executeTakeFirst();
export const lockFileLink = (tx: Tx, tokenHash: string, at: number): Promise<FileLinkRow | undefined> =>
  validAt(tx, tokenHash, at).$call(lockRows(tx)).executeTakeFirst();

export async function updateFileLink(
  tx: Tx,
  tokenHash: string,
  change: Partial<Pick<FileLinkRow, "is_accepted" | "sent_hash">>,
): Promise<void> {
  await tables(tx).updateTable("file_links").set(change).where("token_hash", "=", tokenHash).execute();
}

export async function deleteFileLink(tx: Tx, tokenHash: string): Promise<void> {
  await tables(tx).deleteFrom("file_links").where("token_hash", "=", tokenHash).execute();
}

export async function deleteFileLinksEndedBy(tx: Tx, at: number): Promise<void> {
  await tables(tx).deleteFrom("file_links").where("expires_at", "<=", at).execute();
}
