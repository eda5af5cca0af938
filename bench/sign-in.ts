import type { AuthTables } from "../apps/server/src/features/access/auth/table.ts";
import type { MemberTables } from "../apps/server/src/features/members/members/table.ts";
import type { Database } from "../apps/server/src/platform/database/database.ts";
import { hashOfToken, newToken } from "../apps/server/src/platform/secret-token.ts";

const LASTS_MS = 3_600_000;
const MEMBERS_LAST_MS = 30 * 86_400_000;

type SessionRow = AuthTables["sessions"];

function sessionOf(memberId: string, token: string, lastsMs: number, isElevated = true): SessionRow {
  const now = Date.now();
  return {
    id: crypto.randomUUID(),
    token_hash: hashOfToken(token),
    previous_token_hash: null,
    previous_until: null,
    member_id: memberId,
    device: null,
    created_at: now,
    last_seen_at: now,
    expires_at: now + lastsMs,
    elevated_at: isElevated ? now : null,
    elevation_seen_at: isElevated ? now : null,
    by_telegram: 0,
    password_at: now,
  };
}

/** Writes a session past the second factor where the panel looks for it. Returns its token. */
export async function signIn(database: Database, username: string): Promise<string> {
  const token = newToken();
  await database.transact(async (tx) => {
    const tables = tx.withTables<AuthTables & MemberTables>();
    const { id } = await tables
      .selectFrom("members")
      .select("id")
      .where("username", "=", username)
      .executeTakeFirstOrThrow();
    await tables
      .insertInto("sessions")
      .values(sessionOf(id, token, LASTS_MS))
      .execute();
  });
  return token;
}

const ROWS_PER_STATEMENT = 500;

/**
 * The same for many, as long as a member's session lasts. Returns their tokens in the same order. `isElevated`: past the second
 * factor, as staff; each of their calls may note its moment.
 */
export async function signInAll(
  database: Database,
  memberIds: readonly string[],
  { isElevated = false } = {},
): Promise<string[]> {
  const tokens = memberIds.map(newToken);
  const rows = memberIds.map((id, index) => sessionOf(id, tokens[index] ?? "", MEMBERS_LAST_MS, isElevated));
  await database.transact(async (tx) => {
    const tables = tx.withTables<AuthTables>();
    for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT)
      await tables
        .insertInto("sessions")
        .values(rows.slice(from, from + ROWS_PER_STATEMENT))
        .execute();
  });
  return tokens;
}
