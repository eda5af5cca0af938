import { hashOfToken, newToken } from "../apps/server/src/features/auth/secret-token.ts";
import type { AuthTables } from "../apps/server/src/features/auth/table.ts";
import type { MemberTables } from "../apps/server/src/features/members/table.ts";
import type { Database } from "../apps/server/src/platform/database/database.ts";

const LASTS_MS = 3_600_000;

/** A session past the second factor, written where the panel looks for it; the answer is its token. */
export async function signIn(database: Database, username: string): Promise<string> {
  const token = newToken();
  const now = Date.now();
  await database.transact(async (tx) => {
    const tables = tx.withTables<AuthTables & MemberTables>();
    const { id } = await tables
      .selectFrom("members")
      .select("id")
      .where("username", "=", username)
      .executeTakeFirstOrThrow();
    await tables
      .insertInto("sessions")
      .values({
        id: crypto.randomUUID(),
        token_hash: hashOfToken(token),
        previous_token_hash: null,
        previous_until: null,
        member_id: id,
        device: null,
        created_at: now,
        last_seen_at: now,
        expires_at: now + LASTS_MS,
        elevated_at: now,
        elevation_seen_at: now,
        password_at: now,
      })
      .execute();
  });
  return token;
}
