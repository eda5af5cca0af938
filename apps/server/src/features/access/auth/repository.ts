import { chunks, inChunks } from "../../../platform/database/chunks.ts";
import { type Db, lockRows, type Tx } from "../../../platform/database/database.ts";
import { prepared } from "../../../platform/database/prepared.ts";
import { whileUnchanged } from "../../../platform/database/while-unchanged.ts";
import type { MemberRow, Members } from "../../members/members/index.ts";
import type { AttemptRow, AuthTables, LinkRow, SessionRow } from "./table.ts";

/** Which of a member's sessions: one, all but one, or those opened in Telegram; all of them if none is given. */
export interface WhichSessions {
  only?: string;
  except?: string | undefined;
  byTelegram?: true;
}

const tables = (db: Db | Tx) => db.withTables<AuthTables>();

/** The columns a call needs of its session. */
const USED = [
  "id",
  "token_hash",
  "device",
  "created_at",
  "last_seen_at",
  "elevated_at",
  "elevation_seen_at",
  "password_at",
] as const;
export type UsedSession = Pick<SessionRow, (typeof USED)[number]>;

export interface OpenSession {
  session: UsedSession;
  member: MemberRow;
}

/** Finds the session that a token opens at `at`, ms, with its member, in one statement: every call starts with it. */
export function makeSessionOfToken(members: Pick<Members, "rows">) {
  const held = (db: Db | Tx) =>
    tables(db)
      .selectFrom("sessions")
      .innerJoin(members.rows(db).as("member"), "member.id", "sessions.member_id")
      .selectAll("member")
      .select(USED.map((name) => `sessions.${name} as session_${name}` as const));
  const byToken = prepared((db, { tokenHash }: { tokenHash: string }) => held(db).where("token_hash", "=", tokenHash));
  const byPreviousToken = prepared((db, { tokenHash, at }: { tokenHash: string; at: number }) =>
    held(db).where("previous_token_hash", "=", tokenHash).where("previous_until", ">", at),
  );
  type Row = Awaited<ReturnType<typeof byToken>>[number];
  const opened = (row: Row | undefined): OpenSession | undefined =>
    row && {
      session: Object.fromEntries(USED.map((name) => [name, row[`session_${name}`]])) as UsedSession,
      member: row,
    };
  const current = whileUnchanged(async (db, tokenHash) => opened((await byToken(db, { tokenHash }))[0]));
  return async (db: Db, tokenHash: string, at: number): Promise<OpenSession | undefined> =>
    (await current(db, tokenHash)) ?? opened((await byPreviousToken(db, { tokenHash, at }))[0]);
}

export const lockSession = (tx: Tx, id: string): Promise<SessionRow | undefined> =>
  tables(tx).selectFrom("sessions").selectAll().where("id", "=", id).$call(lockRows(tx)).executeTakeFirst();

/** The newest first. */
export const sessionsOf = (db: Db | Tx, memberId: string): Promise<SessionRow[]> =>
  tables(db)
    .selectFrom("sessions")
    .selectAll()
    .where("member_id", "=", memberId)
    .orderBy("created_at", "desc")
    .orderBy("id")
    .execute();

export async function insertSession(tx: Tx, row: SessionRow): Promise<void> {
  await tables(tx).insertInto("sessions").values(row).execute();
}

export async function updateSession(tx: Tx, id: string, change: Partial<SessionRow>): Promise<void> {
  await tables(tx).updateTable("sessions").set(change).where("id", "=", id).execute();
}

/** Deletes members' sessions: one, all, or all but one. Returns the deleted ones. */
export const deleteSessions = (
  tx: Tx,
  memberIds: readonly string[],
  which: WhichSessions,
): Promise<Pick<SessionRow, "id" | "member_id">[]> =>
  inChunks(memberIds, (some) =>
    tables(tx)
      .deleteFrom("sessions")
      .where("member_id", "in", some)
      .$if(which.only !== undefined, (query) => query.where("id", "=", which.only ?? ""))
      .$if(which.except !== undefined, (query) => query.where("id", "<>", which.except ?? ""))
      .$if(which.byTelegram === true, (query) => query.where("by_telegram", "=", 1))
      .returning(["id", "member_id"]),
  );

/** Leaves a member's most recently used sessions; returns the ids of the others. */
export async function deleteSessionsBeyond(tx: Tx, memberId: string, most: number): Promise<string[]> {
  const devices = await tables(tx)
    .selectFrom("sessions")
    .select(["id", "last_seen_at"])
    .where("member_id", "=", memberId)
    .execute();
  if (devices.length <= most) return [];
  const gone = devices
    .toSorted((a, b) => b.last_seen_at - a.last_seen_at)
    .slice(most)
    .map((row) => row.id);
  await tables(tx).deleteFrom("sessions").where("id", "in", gone).execute();
  return gone;
}

export async function endElevationsOf(tx: Tx, memberId: string): Promise<void> {
  await tables(tx)
    .updateTable("sessions")
    .set({ elevated_at: null, elevation_seen_at: null })
    .where("member_id", "=", memberId)
    .execute();
}

export async function deleteSessionsEndedBy(tx: Tx, at: number): Promise<void> {
  await tables(tx).deleteFrom("sessions").where("expires_at", "<=", at).execute();
}

const linksOf = (db: Db | Tx, purpose: LinkRow["purpose"]) =>
  tables(db).selectFrom("one_time_links").selectAll().where("purpose", "=", purpose);

/** A link that can still be used at `at`, ms. */
export const findLink = (
  db: Db | Tx,
  purpose: LinkRow["purpose"],
  tokenHash: string,
  at: number,
): Promise<LinkRow | undefined> =>
  linksOf(db, purpose)
    .where("token_hash", "=", tokenHash)
    .where((e) => e.or([e("expires_at", "is", null), e("expires_at", ">", at)]))
    .executeTakeFirst();

/** Uses a link up: of two simultaneous callers one gets it. */
export const takeLink = (
  tx: Tx,
  purpose: LinkRow["purpose"],
  tokenHash: string,
  at: number,
): Promise<LinkRow | undefined> =>
  tables(tx)
    .deleteFrom("one_time_links")
    .where("purpose", "=", purpose)
    .where("token_hash", "=", tokenHash)
    .where((e) => e.or([e("expires_at", "is", null), e("expires_at", ">", at)]))
    .returningAll()
    .executeTakeFirst();

export async function insertLinks(tx: Tx, rows: readonly LinkRow[]): Promise<void> {
  for (const some of chunks(rows)) await tables(tx).insertInto("one_time_links").values(some).execute();
}

export async function deleteSetupLinks(tx: Tx): Promise<void> {
  await tables(tx).deleteFrom("one_time_links").where("purpose", "=", "setup").execute();
}

export async function deletePasswordLinksOf(tx: Tx, memberId: string): Promise<void> {
  await tables(tx)
    .deleteFrom("one_time_links")
    .where("member_id", "=", memberId)
    .where("purpose", "=", "password")
    .execute();
}

export async function deleteLinksOf(tx: Tx, memberId: string): Promise<void> {
  await tables(tx).deleteFrom("one_time_links").where("member_id", "=", memberId).execute();
}

/** Returns how many there were. */
export async function deleteLinksOfConfigs(tx: Tx, configIds: readonly string[]): Promise<number> {
  let deleted = 0;
  for (const some of chunks(configIds)) {
    const gone = await tables(tx).deleteFrom("one_time_links").where("config_id", "in", some).executeTakeFirst();
    deleted += Number(gone.numDeletedRows);
  }
  return deleted;
}

/** When the links of these configs expire, ms; a config has at most one link. */
export async function linkEndsOf(db: Db, configIds: readonly string[], at: number): Promise<Map<string, number>> {
  const ends = new Map<string, number>();
  for (const some of chunks(configIds))
    for (const { config_id, expires_at } of await tables(db)
      .selectFrom("one_time_links")
      .select(["config_id", "expires_at"])
      .where("config_id", "in", some)
      .where("expires_at", ">", at)
      .execute())
      if (config_id !== null && expires_at !== null) ends.set(config_id, expires_at);
  return ends;
}

export async function deleteLinksEndedBy(tx: Tx, at: number): Promise<void> {
  await tables(tx).deleteFrom("one_time_links").where("expires_at", "<=", at).execute();
}

export const attemptsOf = (db: Db | Tx, subjects: readonly string[]): Promise<AttemptRow[]> =>
  tables(db).selectFrom("attempts").selectAll().where("subject", "in", subjects).execute();

/** The rows of these subjects, created if missing, locked in one order until the transaction ends. */
export async function lockAttempts(tx: Tx, subjects: readonly string[]): Promise<AttemptRow[]> {
  const inOrder = [...subjects].sort();
  await tables(tx)
    .insertInto("attempts")
    .values(inOrder.map((subject) => ({ subject, failures: 0, last_failure_at: 0 })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return tables(tx)
    .selectFrom("attempts")
    .selectAll()
    .where("subject", "in", inOrder)
    .orderBy("subject")
    .$call(lockRows(tx))
    .execute();
}

/** The row may be gone even after waiting for its lock: the previous holder may have cleared the count. */
export async function writeAttempts(tx: Tx, { subject, failures, last_failure_at }: AttemptRow): Promise<void> {
  await tables(tx)
    .insertInto("attempts")
    .values({ subject, failures, last_failure_at })
    .onConflict((conflict) => conflict.column("subject").doUpdateSet({ failures, last_failure_at }))
    .execute();
}

export async function deleteAttempts(tx: Tx, subject: string): Promise<void> {
  await tables(tx).deleteFrom("attempts").where("subject", "=", subject).execute();
}

export async function deleteAllAttempts(tx: Tx): Promise<void> {
  await tables(tx).deleteFrom("attempts").execute();
}

export async function deleteAttemptsBefore(tx: Tx, at: number): Promise<void> {
  await tables(tx).deleteFrom("attempts").where("last_failure_at", "<=", at).execute();
}

/** Deletes everybody's sessions and one-time links: a restored database would revive those ended or used since. */
export async function endEveryEntry(tx: Tx): Promise<void> {
  await tables(tx).deleteFrom("sessions").execute();
  await tables(tx).deleteFrom("one_time_links").execute();
}
