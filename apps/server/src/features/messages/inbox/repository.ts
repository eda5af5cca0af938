import { isFor, NAMING_KINDS, type NamingKind, NOTICE_KINDS } from "@krug/domain/notices";
import type { Role } from "@krug/domain/roles";
import { sql } from "kysely";
import { chunks, inChunks } from "../../../platform/database/chunks.ts";
import type { Db, Tx } from "../../../platform/database/database.ts";
import type { Place } from "../../../platform/pages.ts";
import type { Members } from "../../members/members/index.ts";
import type { InboxTables, NoticeRow } from "./table.ts";

const tables = (db: Db | Tx) => db.withTables<InboxTables>();

/** Who reads, and a query for members hidden from them; null: none are. */
export interface Reader {
  memberId: string;
  role: Role;
  hidden: ReturnType<Members["vipIds"]> | null;
}

/** Notices to this reader that they may still see: roles and VIP marks change. */
const readable = (db: Db | Tx, { memberId, role, hidden }: Reader) => {
  const others = NOTICE_KINDS.filter((kind) => !isFor(kind, role));
  return tables(db)
    .selectFrom("notices")
    .where("notices.member_id", "=", memberId)
    .$if(others.length > 0, (query) => query.where("kind", "not in", others))
    .$if(hidden !== null, (query) =>
      query.where("counts_vip", "=", 0).where(({ or, and, eb }) =>
        or([
          // Panels of earlier versions did not record whom a notice names.
          and([eb("about_id", "is", null), eb("kind", "not in", NAMING_KINDS)]),
          and([eb("about_id", "is not", null), eb("about_id", "not in", hidden as never)]),
        ]),
      ),
    );
};

/** The newest first; `after` is the last row of the previous page. */
export const page = (db: Db, reader: Reader, limit: number, after: Place | undefined): Promise<NoticeRow[]> =>
  readable(db, reader)
    .selectAll()
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(created_at, id) < (${after?.key ?? 0}, ${after?.id ?? ""})`),
    )
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();

export async function countUnread(db: Db | Tx, reader: Reader): Promise<number> {
  const row = await readable(db, reader)
    .select((e) => e.fn.countAll().as("notices"))
    .where("read_at", "is", null)
    .executeTakeFirst();
  return Number(row?.notices ?? 0);
}

/** Returns the rows written; notices with an already used key are skipped. */
export async function insert(
  tx: Tx,
  rows: readonly NoticeRow[],
): Promise<{ id: string; memberId: string; kind: NoticeRow["kind"] }[]> {
  const told = new Set<string>();
  for (const some of chunks(rows)) {
    const written = await tables(tx)
      .insertInto("notices")
      .values(some)
      .onConflict((conflict) =>
        conflict.columns(["member_id", "once_key"]).where("once_key", "is not", null).doNothing(),
      )
      .returning("id")
      .execute();
    for (const { id } of written) told.add(id);
  }
  return rows.flatMap(({ id, member_id, kind }) => (told.has(id) ? [{ id, memberId: member_id, kind }] : []));
}

export const find = (db: Db, reader: Reader, id: string): Promise<NoticeRow | undefined> =>
  readable(db, reader).selectAll().where("id", "=", id).executeTakeFirst();

export const findByKey = (db: Db, reader: Reader, onceKey: string): Promise<NoticeRow | undefined> =>
  readable(db, reader).selectAll().where("once_key", "=", onceKey).executeTakeFirst();

/** Which of these keys were used already, each with its member: `MEMBER KEY`. */
export async function toldKeys(db: Db | Tx, memberIds: readonly string[]): Promise<Set<string>> {
  const rows = await inChunks(memberIds, (ids) =>
    tables(db)
      .selectFrom("notices")
      .select(["member_id", "once_key"])
      .where("member_id", "in", ids)
      .where("once_key", "is not", null),
  );
  return new Set(rows.map((row) => `${row.member_id} ${row.once_key}`));
}

/** Returns how many were unread before. */
export async function markRead(tx: Tx, memberId: string, ids: readonly string[], now: number): Promise<number> {
  let marked = 0;
  for (const some of chunks(ids))
    marked += (await readUnread(tx, memberId, now).where("id", "in", some).execute()).length;
  return marked;
}

export const markAllRead = async (tx: Tx, memberId: string, now: number): Promise<number> =>
  (await readUnread(tx, memberId, now).execute()).length;

/** Marks a member's unread notices, or those of them that the caller names, and returns their ids. */
const readUnread = (tx: Tx, memberId: string, now: number) =>
  tables(tx)
    .updateTable("notices")
    .set({ read_at: now })
    .where("member_id", "=", memberId)
    .where("read_at", "is", null)
    .returning("id");

/** True if any were unread. */
export async function markKindRead(tx: Tx, memberId: string, kind: NoticeRow["kind"], now: number): Promise<boolean> {
  return (await readUnread(tx, memberId, now).where("kind", "=", kind).execute()).length > 0;
}

/** Marks staff's notices about these members as read; returns whose they were. */
export async function markAboutRead(
  tx: Tx,
  aboutIds: readonly string[],
  kind: NamingKind,
  now: number,
): Promise<string[]> {
  const readers = new Set<string>();
  for (const some of chunks(aboutIds)) {
    const rows = await tables(tx)
      .updateTable("notices")
      .set({ read_at: now })
      .where("about_id", "in", some)
      .where("kind", "=", kind)
      .where("read_at", "is", null)
      .returning("member_id")
      .execute();
    for (const row of rows) readers.add(row.member_id);
  }
  return [...readers];
}

export async function hasUnread(tx: Tx, memberId: string, kind: NoticeRow["kind"]): Promise<boolean> {
  const row = await tables(tx)
    .selectFrom("notices")
    .select("id")
    .where("member_id", "=", memberId)
    .where("kind", "=", kind)
    .where("read_at", "is", null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes unread notices that are outdated. */
export async function deleteUnread(tx: Tx, memberIds: readonly string[], onceKey: string): Promise<void> {
  for (const ids of chunks(memberIds))
    await tables(tx)
      .deleteFrom("notices")
      .where("member_id", "in", ids)
      .where("once_key", "=", onceKey)
      .where("read_at", "is", null)
      .execute();
}

/** These members' notices with a key. */
export const byKey = (tx: Tx, memberIds: readonly string[], onceKey: string): Promise<NoticeRow[]> =>
  inChunks(memberIds, (some) =>
    tables(tx).selectFrom("notices").selectAll().where("member_id", "in", some).where("once_key", "=", onceKey),
  );

/** What waits in the outbox goes with them. */
export async function remove(tx: Tx, ids: readonly string[]): Promise<void> {
  for (const some of chunks(ids)) await tables(tx).deleteFrom("notices").where("id", "in", some).execute();
}

/** Those of these notices that were marked as read at `since`, ms, or later are new again; answers whose they are. */
export async function markUnread(
  tx: Tx,
  notices: readonly { aboutId: string; onceKey: string; since: number }[],
): Promise<string[]> {
  const readers = new Set<string>();
  for (const some of chunks(notices)) {
    const rows = await tables(tx)
      .updateTable("notices")
      .set({ read_at: null })
      .where((e) =>
        e.or(
          some.map(({ aboutId, onceKey, since }) =>
            e.and([e("about_id", "=", aboutId), e("once_key", "=", onceKey), e("read_at", ">=", since)]),
          ),
        ),
      )
      .returning("member_id")
      .execute();
    for (const row of rows) readers.add(row.member_id);
  }
  return [...readers];
}

export async function deleteOf(tx: Tx, memberId: string): Promise<void> {
  await tables(tx).deleteFrom("notices").where("member_id", "=", memberId).execute();
}

/** Deletes others' notices that name this member; answers whose they were. */
export async function deleteAbout(tx: Tx, memberId: string): Promise<string[]> {
  const rows = await tables(tx).deleteFrom("notices").where("about_id", "=", memberId).returning("member_id").execute();
  return [...new Set(rows.map((row) => row.member_id))];
}

export async function deleteBefore(tx: Tx, at: number): Promise<void> {
  await tables(tx).deleteFrom("notices").where("created_at", "<", at).execute();
}
