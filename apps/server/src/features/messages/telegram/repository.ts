import type { Db, Tx } from "../../../platform/database/database.ts";
import type { AttemptRow, BotRow, CodeRow, TelegramTables } from "./table.ts";

const tables = (db: Db | Tx) => db.withTables<TelegramTables>();

export const bot = (db: Db | Tx, tokenHash: string): Promise<BotRow | undefined> =>
  tables(db).selectFrom("telegram_bots").selectAll().where("token_hash", "=", tokenHash).executeTakeFirst();

export async function writeBot(tx: Tx, row: BotRow): Promise<void> {
  const { token_hash: _, ...rest } = row;
  await tables(tx)
    .insertInto("telegram_bots")
    .values(row)
    .onConflict((conflict) => conflict.column("token_hash").doUpdateSet(rest))
    .execute();
}

export const codeOf = (db: Db | Tx, memberId: string, purpose: CodeRow["purpose"]): Promise<CodeRow | undefined> =>
  tables(db)
    .selectFrom("telegram_codes")
    .selectAll()
    .where("member_id", "=", memberId)
    .where("purpose", "=", purpose)
    .executeTakeFirst();

export const codeByHash = (
  tx: Tx,
  purpose: CodeRow["purpose"],
  codeHash: string,
  now: number,
): Promise<CodeRow | undefined> =>
  tables(tx)
    .selectFrom("telegram_codes")
    .selectAll()
    .where("purpose", "=", purpose)
    .where("code_hash", "=", codeHash)
    .where("expires_at", ">", now)
    .executeTakeFirst();

/**
 * A member's one code for a purpose, replacing an earlier one. False, and nothing written, if another member has this very code.
 */
export async function writeCode(tx: Tx, row: CodeRow): Promise<boolean> {
  await deleteCode(tx, row.member_id, row.purpose);
  const written = await tables(tx)
    .insertInto("telegram_codes")
    .values(row)
    .onConflict((conflict) => conflict.columns(["purpose", "code_hash"]).doNothing())
    .returning("member_id")
    .executeTakeFirst();
  return written !== undefined;
}

export async function deleteCode(tx: Tx, memberId: string, purpose: CodeRow["purpose"]): Promise<void> {
  await tables(tx)
    .deleteFrom("telegram_codes")
    .where("member_id", "=", memberId)
    .where("purpose", "=", purpose)
    .execute();
}

export async function deleteCodesOf(tx: Tx, memberId: string): Promise<void> {
  await tables(tx).deleteFrom("telegram_codes").where("member_id", "=", memberId).execute();
}

export async function deleteCodesEndedBy(tx: Tx, at: number): Promise<void> {
  await tables(tx).deleteFrom("telegram_codes").where("expires_at", "<=", at).execute();
}

export const attempts = (tx: Tx, accountHash: string): Promise<AttemptRow | undefined> =>
  tables(tx).selectFrom("telegram_attempts").selectAll().where("account_hash", "=", accountHash).executeTakeFirst();

export async function writeAttempts(tx: Tx, row: AttemptRow): Promise<void> {
  const { wrong_codes, last_wrong_at } = row;
  await tables(tx)
    .insertInto("telegram_attempts")
    .values(row)
    .onConflict((conflict) => conflict.column("account_hash").doUpdateSet({ wrong_codes, last_wrong_at }))
    .execute();
}

export async function clearAttempts(tx: Tx, accountHash: string): Promise<void> {
  await tables(tx).deleteFrom("telegram_attempts").where("account_hash", "=", accountHash).execute();
}

export async function deleteAttemptsBefore(tx: Tx, at: number): Promise<void> {
  await tables(tx).deleteFrom("telegram_attempts").where("last_wrong_at", "<=", at).execute();
}

/** False if it was already there. */
export async function insertOpening(tx: Tx, row: TelegramTables["telegram_openings"]): Promise<boolean> {
  const written = await tables(tx)
    .insertInto("telegram_openings")
    .values(row)
    .onConflict((conflict) => conflict.column("opening_hash").doNothing())
    .returning("opening_hash")
    .executeTakeFirst();
  return written !== undefined;
}

export async function deleteOpeningsEndedBy(tx: Tx, at: number): Promise<void> {
  await tables(tx).deleteFrom("telegram_openings").where("expires_at", "<=", at).execute();
}
