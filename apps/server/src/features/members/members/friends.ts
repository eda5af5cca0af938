import { sql } from "kysely";
import { chunks, inChunks } from "../../../platform/database/chunks.ts";
import type { Db, Tx } from "../../../platform/database/database.ts";
import { prepared } from "../../../platform/database/prepared.ts";
import type { Moments } from "./repository.ts";
import type { MemberRow, MemberTables } from "./table.ts";

/* The tree of invitations by members' own codes, as the referral rule needs it (decisions, section 4). */

const tables = (db: Db | Tx) => db.withTables<MemberTables>();
const living = (db: Db | Tx) => tables(db).selectFrom("members").selectAll().where("deleted_at", "is", null);

/** Members invited with this member's own codes, the newest first. */
export const friendsOf = (db: Db, memberId: string, limit: number): Promise<MemberRow[]> =>
  living(db).where("friend_of", "=", memberId).orderBy("created_at", "desc").orderBy("id").limit(limit).execute();

export type FriendRow = Pick<
  MemberRow,
  | "id"
  | "display_name"
  | "is_active"
  | "is_unlimited"
  | "quota_used_up_until"
  | "subscription_end"
  | "subscription_source"
  | "referral_earned_at"
> & {
  friend_of: string;
  /** The latest of all devices, ms; 0: never. */
  last_handshake_at: number;
};

const friendRows = (db: Db | Tx) =>
  tables(db)
    .selectFrom("members")
    .leftJoin("member_use", "member_use.member_id", "members.id")
    .select(["members.id", "display_name", "is_active", "is_unlimited", "quota_used_up_until", "subscription_end"])
    .select(["subscription_source", "referral_earned_at", "friend_of"])
    .select(sql<number>`coalesce(member_use.last_handshake_at, 0)`.as("last_handshake_at"))
    .$narrowType<{ friend_of: string }>()
    .where("deleted_at", "is", null);

/** Everyone invited by one of these members. */
export const friendsOfThese = (db: Db | Tx, inviterIds: readonly string[]): Promise<FriendRow[]> =>
  inChunks(inviterIds, (ids) => friendRows(db).where("friend_of", "in", ids));

/** Everyone whose inviter is not deleted, by id, a page at a time; `after` is the last id of the previous page. */
export const friendsAfter = (db: Db, after: string, limit: number): Promise<FriendRow[]> =>
  friendRows(db)
    .where("members.id", ">", after)
    .where("friend_of", "is not", null)
    // A condition per row: with a join, SQLite would build the whole list again for each page.
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("members as inviters")
          .select("inviters.id")
          .whereRef("inviters.id", "=", "members.friend_of")
          .where("inviters.deleted_at", "is", null),
      ),
    )
    .orderBy("members.id")
    .limit(limit)
    .execute();

/** When each of these members last connected, ms; those who never did are absent. Deleted devices count too. */
export async function lastSeen(db: Db | Tx, memberIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await inChunks(memberIds, (ids) =>
    tables(db)
      .selectFrom("member_use")
      .select(["member_id", "last_handshake_at"])
      .where("member_id", "in", ids)
      .where("last_handshake_at", ">", 0),
  );
  return new Map(rows.map((row) => [row.member_id, row.last_handshake_at]));
}

/**
 * Inviters of members whose subscription ended, or whose last handshake was, after one moment and up to another (ms).
 */
export async function invitersByTime(db: Db, ended: Moments, seen: Moments): Promise<string[]> {
  const rows = await inviters(db, {
    endedAfter: ended.after,
    endedUntil: ended.until,
    seenAfter: seen.after,
    seenUntil: seen.until,
  });
  return rows.map((row) => row.friend_of);
}
type EndedOrSeen = Record<"endedAfter" | "endedUntil" | "seenAfter" | "seenUntil", number>;
const inviters = prepared((db, { endedAfter, endedUntil, seenAfter, seenUntil }: EndedOrSeen) => {
  const all = tables(db)
    .selectFrom("members")
    .select("friend_of")
    .$narrowType<{ friend_of: string }>()
    .where("friend_of", "is not", null)
    .where("deleted_at", "is", null);
  return all
    .where("subscription_end", ">", endedAfter)
    .where("subscription_end", "<=", endedUntil)
    .union(
      all
        .innerJoin("member_use", "member_use.member_id", "members.id")
        .where("member_use.last_handshake_at", ">", seenAfter)
        .where("member_use.last_handshake_at", "<=", seenUntil),
    );
});

/** Members with a subscription by referral whose own one ends between two moments (ms, both included). */
export async function keptByFriendsEnding(db: Db, from: number, to: number): Promise<string[]> {
  const rows = await tables(db)
    .selectFrom("members as inviters")
    .innerJoin("members as friends", "friends.friend_of", "inviters.id")
    .select("inviters.id")
    .distinct()
    .where("inviters.referral_earned_at", "is not", null)
    .where("inviters.deleted_at", "is", null)
    .where("friends.deleted_at", "is", null)
    .where("friends.subscription_end", ">=", from)
    .where("friends.subscription_end", "<=", to)
    .execute();
  return rows.map((row) => row.id);
}

export async function idsWithReferral(db: Db): Promise<string[]> {
  const rows = await tables(db)
    .selectFrom("members")
    .select("id")
    .where("referral_earned_at", "is not", null)
    .where("deleted_at", "is", null)
    .execute();
  return rows.map((row) => row.id);
}

/** Records when (`at`) a member's friends began to earn the subscription, null if they no longer do. Returns false if nothing changed. */
export async function setReferral(tx: Tx, id: string, at: number | null): Promise<boolean> {
  const written = await tables(tx)
    .updateTable("members")
    .set({ referral_earned_at: at })
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .where("referral_earned_at", at === null ? "is not" : "is", null)
    .returning("id")
    .executeTakeFirst();
  return written !== undefined;
}

/** Which of these members have not connected after `since`, ms. */
export async function notSeenSince(
  tx: Tx,
  memberIds: readonly string[],
  since: number,
): Promise<{ id: string; isFirst: boolean }[]> {
  const found: { id: string; isFirst: boolean }[] = [];
  for (const ids of chunks(memberIds))
    for (const row of await tables(tx)
      .selectFrom("member_use")
      .select(["member_id", "last_handshake_at"])
      .where("member_id", "in", ids)
      .where("last_handshake_at", "<=", since)
      .execute())
      found.push({ id: row.member_id, isFirst: row.last_handshake_at === 0 });
  return found;
}
