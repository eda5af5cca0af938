import { chunks } from "../../../platform/database/chunks.ts";
import type { Db, Tx } from "../../../platform/database/database.ts";
import { prepared } from "../../../platform/database/prepared.ts";
import type { MemberRow, Members } from "../../members/members/index.ts";
import type { ApiTokenRow, ApiTokenTables } from "./table.ts";

const tables = (db: Db | Tx) => db.withTables<ApiTokenTables>();

/** The columns a call needs of its token. */
const USED = ["id", "name", "scopes", "expires_at", "last_used_at"] as const;
export type UsedToken = Pick<ApiTokenRow, (typeof USED)[number]>;

/** Finds a token by its hash, with its owner, in one statement: every call with a token starts with it. */
export function makeTokenOfHash(members: Pick<Members, "rows">) {
  const byHash = prepared((db, { tokenHash }: { tokenHash: string }) =>
    tables(db)
      .selectFrom("api_tokens")
      .innerJoin(members.rows(db).as("member"), "member.id", "api_tokens.member_id")
      .selectAll("member")
      .select(USED.map((name) => `api_tokens.${name} as token_${name}` as const))
      .where("token_hash", "=", tokenHash),
  );
  return async (db: Db, tokenHash: string): Promise<{ token: UsedToken; member: MemberRow } | undefined> => {
    const [row] = await byHash(db, { tokenHash });
    if (row === undefined) return undefined;
    const token = Object.fromEntries(USED.map((name) => [name, row[`token_${name}`]])) as UsedToken;
    return { token, member: row };
  };
}

/** The newest first. */
export const ofMember = (db: Db | Tx, memberId: string): Promise<ApiTokenRow[]> =>
  tables(db)
    .selectFrom("api_tokens")
    .selectAll()
    .where("member_id", "=", memberId)
    .orderBy("created_at", "desc")
    .orderBy("id")
    .execute();

export async function insert(tx: Tx, row: ApiTokenRow): Promise<void> {
  await tables(tx).insertInto("api_tokens").values(row).execute();
}

export async function noteUse(tx: Tx, id: string, at: number): Promise<void> {
  await tables(tx).updateTable("api_tokens").set({ last_used_at: at }).where("id", "=", id).execute();
}

/** Undefined: the member has no such token. */
export const remove = (tx: Tx, memberId: string, id: string): Promise<ApiTokenRow | undefined> =>
  tables(tx)
    .deleteFrom("api_tokens")
    .where("member_id", "=", memberId)
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();

export async function removeOf(tx: Tx, memberIds: readonly string[]): Promise<void> {
  for (const some of chunks(memberIds))
    await tables(tx).deleteFrom("api_tokens").where("member_id", "in", some).execute();
}

export async function removeExpired(tx: Tx, at: number): Promise<void> {
  await tables(tx).deleteFrom("api_tokens").where("expires_at", "<=", at).execute();
}

/** Ends every token: for a database restored from a backup. */
export async function endEveryToken(tx: Tx): Promise<void> {
  await tables(tx).deleteFrom("api_tokens").execute();
}
