import { sql } from "kysely";
import { chunks, inChunks } from "../../../platform/database/chunks.ts";
import { type Db, lockRows, type Tx } from "../../../platform/database/database.ts";
import type { AttachmentRow, ConversationRow, MessageRow, SupportTables, TicketRow } from "./table.ts";

const tables = (db: Db | Tx) => db.withTables<SupportTables>();
const messages = (db: Db | Tx, memberId: string) =>
  tables(db).selectFrom("support_messages").selectAll().where("member_id", "=", memberId);

/** A member's chat (null) or one of their tickets. */
export interface ThreadId {
  memberId: string;
  ticketId: string | null;
}

/** Messages of a thread: those before a sequence, the newest without one, or those after one. */
export interface Span {
  before: number | undefined;
  after: number | undefined;
  limit: number;
}

/** Always oldest first. */
export async function inThread(db: Db, { memberId, ticketId }: ThreadId, span: Span): Promise<MessageRow[]> {
  const thread = messages(db, memberId).where("ticket_id", ticketId === null ? "is" : "=", ticketId);
  const { before, after, limit } = span;
  if (after !== undefined)
    return thread.where("sequence", ">", after).orderBy("sequence", "asc").limit(limit).execute();
  const rows = await thread
    .$if(before !== undefined, (query) => query.where("sequence", "<", before ?? 0))
    .orderBy("sequence", "desc")
    .limit(limit)
    .execute();
  return rows.reverse();
}

/** The sequence of a member's newest message; 0 if there is none. */
export async function lastSequence(db: Db, memberId: string): Promise<number> {
  const row = await tables(db)
    .selectFrom("support_conversations")
    .select("last_sequence")
    .where("member_id", "=", memberId)
    .executeTakeFirst();
  return row?.last_sequence ?? 0;
}

/** A member's messages after a sequence, chat and tickets, oldest first. */
export const since = (db: Db, memberId: string, sequence: number, limit: number): Promise<MessageRow[]> =>
  messages(db, memberId).where("sequence", ">", sequence).orderBy("sequence").limit(limit).execute();

/** The next sequence of a member's conversation. Its row stays locked, so sequences are committed in order. */
async function nextSequence(
  tx: Tx,
  { member_id, is_admin, created_at: now }: Pick<MessageRow, "member_id" | "is_admin" | "created_at">,
): Promise<number> {
  const row = await tables(tx)
    .insertInto("support_conversations")
    .values({
      member_id,
      last_sequence: 1,
      last_message_at: now,
      waiting_since: is_admin === 1 ? null : now,
      settled_sequence: 0,
      assigned_to: null,
    })
    .onConflict((conflict) =>
      conflict.column("member_id").doUpdateSet((e) => ({
        last_sequence: e("support_conversations.last_sequence", "+", 1),
        last_message_at: now,
        ...(is_admin === 1 ? {} : { waiting_since: e.fn.coalesce("support_conversations.waiting_since", e.val(now)) }),
      })),
    )
    .returning("last_sequence")
    .executeTakeFirstOrThrow();
  return row.last_sequence;
}

export const conversation = (tx: Tx, memberId: string): Promise<ConversationRow | undefined> =>
  tables(tx)
    .selectFrom("support_conversations")
    .selectAll()
    .where("member_id", "=", memberId)
    .$call(lockRows(tx))
    .executeTakeFirst();

/** Whether any of the member's messages waits for an answer. */
export const isWaiting = async (tx: Tx, memberId: string): Promise<boolean> =>
  ((await conversation(tx, memberId))?.waiting_since ?? null) !== null;

/**
 * Calculates since when a member waits, ms, or null. Messages that staff answered in the same thread or settled do not wait, nor
 * does a closed ticket.
 */
export async function updateWaiting(tx: Tx, memberId: string): Promise<number | null> {
  const row = await tables(tx)
    .selectFrom("support_messages as m")
    .innerJoin("support_conversations as c", "c.member_id", "m.member_id")
    .leftJoin("support_tickets as t", "t.id", "m.ticket_id")
    .select(({ fn }) => fn.min("m.created_at").as("at"))
    .where("m.member_id", "=", memberId)
    .where("m.is_admin", "=", 0)
    .whereRef("m.sequence", ">", "c.settled_sequence")
    .where((e) => e.or([e("t.status", "is", null), e("t.status", "!=", "closed")]))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("support_messages as a")
            .select("a.id")
            .whereRef("a.member_id", "=", "m.member_id")
            .where("a.is_admin", "=", 1)
            .whereRef("a.sequence", ">", "m.sequence")
            .where((e) =>
              e.or([
                e("a.ticket_id", "=", e.ref("m.ticket_id")),
                e.and([e("a.ticket_id", "is", null), e("m.ticket_id", "is", null)]),
              ]),
            ),
        ),
      ),
    )
    .executeTakeFirst();
  const since = row?.at == null ? null : Number(row.at);
  await tables(tx)
    .updateTable("support_conversations")
    .set({ waiting_since: since })
    .where("member_id", "=", memberId)
    .execute();
  return since;
}

export async function assignConversation(tx: Tx, memberId: string, assigned_to: string | null): Promise<void> {
  await tables(tx)
    .updateTable("support_conversations")
    .set({ assigned_to })
    .where("member_id", "=", memberId)
    .execute();
}

/** Unassigns everything from this staff member; also closed tickets if they must not be named even there. Answers whose it was. */
export async function release(
  tx: Tx,
  assigned_to: string,
  { closedToo }: { closedToo: boolean },
): Promise<{ conversations: string[]; tickets: string[] }> {
  const free = { assigned_to: null };
  const conversations = await tables(tx)
    .updateTable("support_conversations")
    .set(free)
    .where("assigned_to", "=", assigned_to)
    .returning("member_id")
    .execute();
  const tickets = await tables(tx)
    .updateTable("support_tickets")
    .set(free)
    .where("assigned_to", "=", assigned_to)
    .$if(!closedToo, (query) => query.where("status", "!=", "closed"))
    .returning("member_id")
    .execute();
  return {
    conversations: conversations.map(({ member_id }) => member_id),
    tickets: tickets.map(({ member_id }) => member_id),
  };
}

/** `sequence`: messages up to it want no answer. */
export async function settle(tx: Tx, memberId: string, sequence: number): Promise<void> {
  await tables(tx)
    .updateTable("support_conversations")
    .set({ settled_sequence: sequence })
    .where("member_id", "=", memberId)
    .execute();
}

/** Writes a message at the end of its member's conversation. */
export async function append(
  tx: Tx,
  message: Omit<MessageRow, "sequence">,
  attachments: readonly AttachmentRow[],
): Promise<MessageRow> {
  const row = { ...message, sequence: await nextSequence(tx, message) };
  await tables(tx).insertInto("support_messages").values(row).execute();
  if (row.content !== "")
    await tables(tx)
      .insertInto("support_texts")
      .values({ member_id: row.member_id, sequence: row.sequence, content: row.content.toLowerCase() })
      .execute();
  // One by one: a single statement would hold 20 MB of values.
  for (const attachment of attachments) await tables(tx).insertInto("support_attachments").values(attachment).execute();
  if (row.ticket_id !== null) await updateTicket(tx, row.ticket_id, { updated_at: row.created_at });
  if (row.is_admin === 1) await updateWaiting(tx, row.member_id);
  return row;
}

export const byIdempotencyKey = (tx: Tx, authorId: string, key: string): Promise<MessageRow | undefined> =>
  tables(tx)
    .selectFrom("support_messages")
    .selectAll()
    .where("author_id", "=", authorId)
    .where("idempotency_key", "=", key)
    .executeTakeFirst();

/** Ids of the images of these messages, in their order. */
export async function attachmentIds(db: Db, messageIds: readonly string[]): Promise<Map<string, string[]>> {
  const ids = new Map<string, string[]>();
  for (const some of chunks(messageIds)) {
    const rows = await tables(db)
      .selectFrom("support_attachments")
      .select(["id", "message_id"])
      .where("message_id", "in", some)
      .orderBy("message_id")
      .orderBy("position")
      .execute();
    for (const { id, message_id } of rows) ids.set(message_id, [...(ids.get(message_id) ?? []), id]);
  }
  return ids;
}

export const attachment = (
  db: Db,
  id: string,
): Promise<Pick<AttachmentRow, "member_id" | "media" | "bytes"> | undefined> =>
  tables(db)
    .selectFrom("support_attachments")
    .select(["member_id", "media", "bytes"])
    .where("id", "=", id)
    .executeTakeFirst();

/** Images that a member sent since `from`, ms. */
export async function countImagesSince(tx: Tx, memberId: string, from: number): Promise<number> {
  const row = await tables(tx)
    .selectFrom("support_attachments as image")
    .innerJoin("support_messages as message", "message.id", "image.message_id")
    .select(({ fn }) => fn.countAll().as("images"))
    .where("image.member_id", "=", memberId)
    .where("image.created_at", ">=", from)
    .where("message.is_admin", "=", 0)
    .executeTakeFirst();
  return Number(row?.images ?? 0);
}

/** Marks a thread as seen by the other side up to a sequence; `fromStaff`: messages by staff. Returns how many were marked. */
export async function markRead(
  tx: Tx,
  { memberId, ticketId }: ThreadId,
  read: { fromStaff: boolean; upTo: number; now: number },
): Promise<number> {
  const done = await tables(tx)
    .updateTable("support_messages")
    .set({ read_at: read.now })
    .where("member_id", "=", memberId)
    .where("ticket_id", ticketId === null ? "is" : "=", ticketId)
    .where("is_admin", "=", read.fromStaff ? 1 : 0)
    .where("sequence", "<=", read.upTo)
    .where("read_at", "is", null)
    .executeTakeFirst();
  return Number(done.numUpdatedRows);
}

/** Unseen messages of one side (`fromStaff`) of these members, by member and thread. */
export async function unread(
  db: Db,
  memberIds: readonly string[],
  fromStaff: boolean,
): Promise<{ memberId: string; ticketId: string | null; count: number }[]> {
  const counts: { memberId: string; ticketId: string | null; count: number }[] = [];
  for (const some of chunks(memberIds)) {
    const rows = await tables(db)
      .selectFrom("support_messages")
      .select(["member_id", "ticket_id"])
      .select(({ fn }) => fn.countAll().as("count"))
      .where("member_id", "in", some)
      .where("is_admin", "=", fromStaff ? 1 : 0)
      .where("read_at", "is", null)
      .groupBy(["member_id", "ticket_id"])
      .execute();
    for (const row of rows) counts.push({ memberId: row.member_id, ticketId: row.ticket_id, count: Number(row.count) });
  }
  return counts;
}

/** Staff's messages between two times (ms, both inclusive) that the member has not seen, the oldest first. */
export const unseenAnswers = (
  db: Db,
  { from, to, limit }: { from: number; to: number; limit: number },
): Promise<Pick<MessageRow, "id" | "member_id" | "ticket_id">[]> =>
  tables(db)
    .selectFrom("support_messages")
    .select(["id", "member_id", "ticket_id"])
    .where("read_at", "is", null)
    .where("is_admin", "=", sql.lit(1))
    .where("created_at", ">=", from)
    .where("created_at", "<=", to)
    .orderBy("created_at")
    .limit(limit)
    .execute();

/** The newest message of each of these members' conversations. */
export const lastMessages = (db: Db, memberIds: readonly string[]): Promise<MessageRow[]> =>
  inChunks(memberIds, (some) =>
    tables(db)
      .selectFrom("support_conversations as c")
      .innerJoin("support_messages as m", (join) =>
        join.onRef("m.member_id", "=", "c.member_id").onRef("m.sequence", "=", "c.last_sequence"),
      )
      .selectAll("m")
      .where("c.member_id", "in", some),
  );

/** Tickets of these members that are not closed. */
export async function countOpenTickets(db: Db, memberIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await inChunks(memberIds, (some) =>
    tables(db)
      .selectFrom("support_tickets")
      .select("member_id")
      .select(({ fn }) => fn.countAll().as("count"))
      .where("member_id", "in", some)
      .where("status", "!=", "closed")
      .groupBy("member_id"),
  );
  return new Map(rows.map((row) => [row.member_id, Number(row.count)]));
}

export const ticket = (db: Db | Tx, id: string): Promise<TicketRow | undefined> =>
  tables(db).selectFrom("support_tickets").selectAll().where("id", "=", id).executeTakeFirst();

export const lockTicket = (tx: Tx, id: string): Promise<TicketRow | undefined> =>
  tables(tx).selectFrom("support_tickets").selectAll().where("id", "=", id).$call(lockRows(tx)).executeTakeFirst();

/** A member's own, the newest first, those after the ticket `after`. */
export const ticketsOf = (
  db: Db,
  memberId: string,
  page: { after: TicketRow | undefined; limit: number },
): Promise<TicketRow[]> =>
  tables(db)
    .selectFrom("support_tickets")
    .selectAll()
    .where("member_id", "=", memberId)
    .$if(page.after !== undefined, (query) =>
      query.where((e) =>
        e.or([
          e("created_at", "<", page.after?.created_at ?? 0),
          e.and([e("created_at", "=", page.after?.created_at ?? 0), e("id", "<", page.after?.id ?? "")]),
        ]),
      ),
    )
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(page.limit)
    .execute();

export async function insertTicket(tx: Tx, row: TicketRow): Promise<void> {
  await tables(tx)
    .insertInto("support_tickets")
    .values({ ...row, subject_key: row.subject.toLowerCase() })
    .execute();
}

export async function updateTicket(tx: Tx, id: string, change: Partial<Omit<TicketRow, "id">>): Promise<void> {
  await tables(tx).updateTable("support_tickets").set(change).where("id", "=", id).execute();
}

/** The description of each of these tickets: its first message. */
export async function descriptions(db: Db, ticketIds: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const some of chunks(ticketIds)) {
    const rows = await tables(db)
      .selectFrom("support_messages as m")
      .select(["m.ticket_id", "m.content"])
      .where("m.ticket_id", "in", some)
      .where("m.sequence", "=", (e) =>
        e
          .selectFrom("support_messages as first")
          .select(({ fn }) => fn.min("first.sequence").as("sequence"))
          .whereRef("first.ticket_id", "=", "m.ticket_id"),
      )
      .execute();
    for (const { ticket_id, content } of rows) if (ticket_id !== null) found.set(ticket_id, content);
  }
  return found;
}

/** Deletes a member's whole conversation. */
export async function deleteAll(tx: Tx, memberId: string): Promise<void> {
  await tables(tx).deleteFrom("support_attachments").where("member_id", "=", memberId).execute();
  await tables(tx).deleteFrom("support_texts").where("member_id", "=", memberId).execute();
  await tables(tx).deleteFrom("support_messages").where("member_id", "=", memberId).execute();
  await tables(tx).deleteFrom("support_tickets").where("member_id", "=", memberId).execute();
  await tables(tx).deleteFrom("support_conversations").where("member_id", "=", memberId).execute();
}
