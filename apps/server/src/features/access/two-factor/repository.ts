import { type Db, lockRows, type Tx } from "../../../platform/database/database.ts";
import type { TwoFactorRow, TwoFactorTables } from "./table.ts";

const tables = (db: Db | Tx) => db.withTables<TwoFactorTables>();
const ofMember = (db: Db | Tx, memberId: string) =>
  tables(db).selectFrom("two_factor").selectAll().where("member_id", "=", memberId);

export const find = (db: Db | Tx, memberId: string): Promise<TwoFactorRow | undefined> =>
  ofMember(db, memberId).executeTakeFirst();

/** Locked until the transaction ends: simultaneous codes are counted one after another. */
export const lock = (tx: Tx, memberId: string): Promise<TwoFactorRow | undefined> =>
  ofMember(tx, memberId).$call(lockRows(tx)).executeTakeFirst();

/** Does nothing if the member has a row: the secret offered first stays. */
export async function offer(tx: Tx, memberId: string, sealedSecret: string): Promise<void> {
  await tables(tx)
    .insertInto("two_factor")
    .values({
      member_id: memberId,
      sealed_secret: sealedSecret,
      enabled_at: null,
      used_steps: "[]",
      wrong_codes: 0,
      last_wrong_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function update(tx: Tx, memberId: string, change: Partial<TwoFactorRow>): Promise<void> {
  await tables(tx).updateTable("two_factor").set(change).where("member_id", "=", memberId).execute();
}

/** Removes the secret and all recovery codes. */
export async function remove(tx: Tx, memberId: string): Promise<void> {
  await tables(tx).deleteFrom("recovery_codes").where("member_id", "=", memberId).execute();
  await tables(tx).deleteFrom("two_factor").where("member_id", "=", memberId).execute();
}

/** Replaces all recovery codes. */
export async function setRecoveryCodes(tx: Tx, memberId: string, hashes: readonly string[]): Promise<void> {
  await tables(tx).deleteFrom("recovery_codes").where("member_id", "=", memberId).execute();
  await tables(tx)
    .insertInto("recovery_codes")
    .values(hashes.map((hash) => ({ member_id: memberId, code_hash: hash })))
    .execute();
}

/** Uses up a recovery code; false if there is no such code. */
export async function takeRecoveryCode(tx: Tx, memberId: string, hash: string): Promise<boolean> {
  const taken = await tables(tx)
    .deleteFrom("recovery_codes")
    .where("member_id", "=", memberId)
    .where("code_hash", "=", hash)
    .returning("member_id")
    .execute();
  return taken.length > 0;
}

export async function countRecoveryCodes(db: Db | Tx, memberId: string): Promise<number> {
  const row = await tables(db)
    .selectFrom("recovery_codes")
    .select(({ fn }) => fn.countAll().as("codes"))
    .where("member_id", "=", memberId)
    .executeTakeFirst();
  return Number(row?.codes ?? 0);
}
