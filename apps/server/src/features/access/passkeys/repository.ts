import { type Db, lockRows, type Tx } from "../../../platform/database/database.ts";
import type { ChallengeRow, PasskeyRow, PasskeyTables } from "./table.ts";

const tables = (db: Db | Tx) => db.withTables<PasskeyTables>();

/** The newest first. */
export const ofMember = (db: Db | Tx, memberId: string): Promise<PasskeyRow[]> =>
  tables(db)
    .selectFrom("passkeys")
    .selectAll()
    .where("member_id", "=", memberId)
    .orderBy("created_at", "desc")
    .orderBy("id")
    .execute();

export const findByCredential = (db: Db | Tx, credentialId: string): Promise<PasskeyRow | undefined> =>
  tables(db).selectFrom("passkeys").selectAll().where("credential_id", "=", credentialId).executeTakeFirst();

export const lock = (tx: Tx, id: string): Promise<PasskeyRow | undefined> =>
  tables(tx).selectFrom("passkeys").selectAll().where("id", "=", id).$call(lockRows(tx)).executeTakeFirst();

/** False: somebody has it already. */
export async function insert(tx: Tx, row: PasskeyRow): Promise<boolean> {
  const made = await tables(tx)
    .insertInto("passkeys")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .execute();
  return made.length > 0;
}

/** Undefined: the member has no such passkey. */
export const update = (
  tx: Tx,
  memberId: string,
  id: string,
  change: Partial<Pick<PasskeyRow, "name" | "counter" | "last_used_at">>,
): Promise<PasskeyRow | undefined> =>
  tables(tx)
    .updateTable("passkeys")
    .set(change)
    .where("member_id", "=", memberId)
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();

/** One of a member's passkeys, or all of them; returns the removed ones. */
export const remove = (tx: Tx, memberId: string, id?: string): Promise<PasskeyRow[]> =>
  tables(tx)
    .deleteFrom("passkeys")
    .where("member_id", "=", memberId)
    .$if(id !== undefined, (query) => query.where("id", "=", id ?? ""))
    .returningAll()
    .execute();

/** The latest `most` of this asker's stay: nobody fills the table, and nobody is kept waiting. */
export async function insertChallenge(tx: Tx, row: ChallengeRow, most: number): Promise<void> {
  await tables(tx).insertInto("passkey_challenges").values(row).execute();
  const asked = await tables(tx)
    .selectFrom("passkey_challenges")
    .select("challenge_hash")
    .where("asked_by", "=", row.asked_by)
    .orderBy("expires_at", "desc")
    .execute();
  const older = asked.slice(most).map(({ challenge_hash }) => challenge_hash);
  if (older.length > 0)
    await tables(tx).deleteFrom("passkey_challenges").where("challenge_hash", "in", older).execute();
}

/** Uses a challenge up, whoever asked for it: of two simultaneous answers one gets it. */
export const takeChallenge = (tx: Tx, challengeHash: string): Promise<ChallengeRow | undefined> =>
  tables(tx)
    .deleteFrom("passkey_challenges")
    .where("challenge_hash", "=", challengeHash)
    .returningAll()
    .executeTakeFirst();

export async function removeExpired(tx: Tx, at: number): Promise<void> {
  await tables(tx).deleteFrom("passkey_challenges").where("expires_at", "<=", at).execute();
}

/** Ends what authenticators were asked: for a database restored from a backup, where answered challenges would come back. */
export async function endEveryChallenge(tx: Tx): Promise<void> {
  await tables(tx).deleteFrom("passkey_challenges").execute();
}
