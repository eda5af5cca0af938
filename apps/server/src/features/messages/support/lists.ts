import type { TicketStatus } from "@krug/domain/support-rules";
import { type Expression, type RawBuilder, sql } from "kysely";
import { inChunks } from "../../../platform/database/chunks.ts";
import type { Db } from "../../../platform/database/database.ts";
import type { Place } from "../../../platform/pages.ts";
import type { Members } from "../../members/members/index.ts";
import type { ConversationRow, MessageRow, SupportTables, TicketRow } from "./table.ts";

const tables = (db: Db) => db.withTables<SupportTables>();

/** Who reads: VIP members are for admins only (decisions, section 2). */
export interface Reader {
  memberId: string;
  withVip: boolean;
}

/** A search among conversations. */
export interface ConversationSearch {
  /** In names and messages, regardless of case; undefined or "": everything. */
  text: string | undefined;
  show: "all" | "waiting" | "unread" | "mine";
  /** Only this member's. */
  memberId?: string | undefined;
}

export interface TicketSearch {
  /** In the subject and the member's names. */
  text?: string | undefined;
  status?: TicketStatus;
  hands?: "any" | "mine" | "nobody";
  /** Only this member's. */
  memberId?: string | undefined;
}

/** Conversations that a search checks first. */
const NEWEST = 500;

/** Staff's lists: conversations and tickets of all members whom the reader may see. */
export function makeLists(members: Members) {
  /** `column in (…)` of the members whom the reader may see. */
  const isSeen = (db: Db, { withVip }: Pick<Reader, "withVip">, column: string) =>
    withVip ? sql<boolean>`1 = 1` : sql<boolean>`${sql.ref(column)} not in ${members.vipIds(db)}`;

  /** `newest`: searches only these. */
  const conversationsOf = (
    db: Db,
    reader: Reader,
    { text, show, memberId }: ConversationSearch,
    newest?: Expression<{ member_id: string }>,
  ) =>
    tables(db)
      .selectFrom("support_conversations as c")
      .where(isSeen(db, reader, "c.member_id"))
      .$if(newest !== undefined, (query) => query.where(sql<boolean>`c.member_id in (${newest})`))
      .$if(isSaid(text), (query) =>
        query.where((e) =>
          e.or([
            e("c.member_id", "in", members.visibleIds(db, reader.withVip, text)),
            e(
              "c.member_id",
              "in",
              e
                .selectFrom("support_texts as t")
                .select("t.member_id")
                .$if(newest !== undefined, (query) => query.where(sql<boolean>`t.member_id in (${newest})`))
                .where(contains("t.content", text)),
            ),
          ]),
        ),
      )
      .$if(memberId !== undefined, (query) => query.where("c.member_id", "=", memberId ?? ""))
      .$if(show === "waiting", (query) => query.where("c.waiting_since", "is not", null))
      .$if(show === "unread", (query) =>
        query.where("c.member_id", "in", (e) =>
          e
            .selectFrom("support_messages as m")
            .select("m.member_id")
            .where("m.is_admin", "=", e.lit(0))
            .where("m.read_at", "is", null),
        ),
      )
      .$if(show === "mine", (query) =>
        query.where("c.member_id", "in", (e) =>
          e
            .selectFrom("support_conversations as own")
            .select("own.member_id")
            .where("own.assigned_to", "=", reader.memberId)
            .union(
              e
                .selectFrom("support_tickets as t")
                .select("t.member_id")
                .where("t.assigned_to", "=", reader.memberId)
                .where("t.status", "!=", "closed"),
            ),
        ),
      );

  const ticketsOf = (db: Db, reader: Reader, { text, status, hands = "any", memberId }: TicketSearch) =>
    tables(db)
      .selectFrom("support_tickets as t")
      .where(isSeen(db, reader, "t.member_id"))
      .$if(status !== undefined, (query) => query.where("t.status", "=", status ?? "open"))
      .$if(memberId !== undefined, (query) => query.where("t.member_id", "=", memberId ?? ""))
      .$if(hands === "mine", (query) => query.where("t.assigned_to", "=", reader.memberId))
      .$if(hands === "nobody", (query) => query.where("t.assigned_to", "is", null))
      .$if(isSaid(text), (query) =>
        query.where((e) =>
          e.or([contains("t.subject_key", text), e("t.member_id", "in", members.visibleIds(db, reader.withVip, text))]),
        ),
      );

  return {
    /** The longest waiting first. */
    async waitingLongest(
      db: Db,
      reader: Reader,
      search: ConversationSearch,
      { after, limit }: { after: Place | undefined; limit: number },
    ): Promise<ConversationRow[]> {
      const from = after && sql<boolean>`(c.waiting_since, c.member_id) > (${after.key}, ${after.id})`;
      return conversationsOf(db, reader, search)
        .selectAll("c")
        .$if(from !== undefined, (query) => query.where(from as RawBuilder<boolean>))
        .orderBy("c.waiting_since")
        .orderBy("c.member_id")
        .limit(limit)
        .execute();
    },

    /** The latest message first. A search checks the newest conversations first: most often they are enough. */
    async conversations(
      db: Db,
      reader: Reader,
      search: ConversationSearch,
      { after, limit }: { after: Place | undefined; limit: number },
    ): Promise<ConversationRow[]> {
      const from = after && sql<boolean>`(c.last_message_at, c.member_id) < (${after.key}, ${after.id})`;
      const page = (newest?: Expression<{ member_id: string }>) =>
        conversationsOf(db, reader, search, newest)
          .selectAll("c")
          .$if(from !== undefined, (query) => query.where(from as RawBuilder<boolean>))
          .orderBy("c.last_message_at", "desc")
          .orderBy("c.member_id", "desc")
          .limit(limit)
          .execute();
      if (!isSaid(search.text)) return page();
      const newest = tables(db)
        .selectFrom("support_conversations as c")
        .select("c.member_id")
        .$if(from !== undefined, (query) => query.where(from as RawBuilder<boolean>))
        .orderBy("c.last_message_at", "desc")
        .orderBy("c.member_id", "desc")
        .limit(NEWEST);
      const found = await page(newest);
      return found.length === limit ? found : page();
    },

    countConversations: (db: Db, reader: Reader, search: ConversationSearch) =>
      counted(conversationsOf(db, reader, search).select(({ fn }) => fn.countAll().as("rows"))),

    /** The newest first, those after the ticket `after`. */
    tickets: (
      db: Db,
      reader: Reader,
      search: TicketSearch,
      page: { after: TicketRow | undefined; limit: number },
    ): Promise<TicketRow[]> =>
      ticketsOf(db, reader, search)
        .selectAll("t")
        .$if(page.after !== undefined, (query) =>
          query.where(sql<boolean>`(t.created_at, t.id) < (${page.after?.created_at}, ${page.after?.id})`),
        )
        .orderBy("t.created_at", "desc")
        .orderBy("t.id", "desc")
        .limit(page.limit)
        .execute(),

    ticketsAbout: (db: Db, reader: Pick<Reader, "withVip">, text: string, limit: number) =>
      tables(db)
        .selectFrom("support_tickets as t")
        .select(["t.id", "t.subject", "t.status", "t.member_id"])
        .where(isSeen(db, reader, "t.member_id"))
        .where(contains("t.subject_key", text))
        .orderBy("t.created_at", "desc")
        .orderBy("t.id", "desc")
        .limit(limit)
        .execute(),

    countTickets: (db: Db, reader: Reader, search: TicketSearch) =>
      counted(ticketsOf(db, reader, search).select(({ fn }) => fn.countAll().as("rows"))),

    async countTicketsByStatus(db: Db, reader: Reader): Promise<Record<TicketStatus, number>> {
      const rows = await ticketsOf(db, reader, {})
        .select("t.status")
        .select(({ fn }) => fn.countAll().as("tickets"))
        .groupBy("t.status")
        .execute();
      const of = (status: TicketStatus) => Number(rows.find((row) => row.status === status)?.tickets ?? 0);
      return { open: of("open"), in_progress: of("in_progress"), closed: of("closed") };
    },

    countWaiting: (db: Db, reader: Reader) =>
      counted(
        conversationsOf(db, reader, { text: undefined, show: "waiting" }).select(({ fn }) => fn.countAll().as("rows")),
      ),

    /** Members with messages that no staff member has seen. */
    countUnread: (db: Db, reader: Reader) =>
      counted(
        tables(db)
          .selectFrom("support_messages as m")
          .select(({ fn }) => fn.count("m.member_id").distinct().as("rows"))
          .where("m.is_admin", "=", sql.lit(0))
          .where("m.read_at", "is", null)
          .where(isSeen(db, reader, "m.member_id")),
      ),

    /** Each of these members' newest message that contains the text. */
    async found(db: Db, memberIds: readonly string[], text: string | undefined): Promise<MessageRow[]> {
      if (!isSaid(text)) return [];
      return inChunks(memberIds, (some) =>
        tables(db)
          .selectFrom("support_messages as m")
          .selectAll("m")
          .where("m.member_id", "in", some)
          .where("m.sequence", "=", (e) =>
            e
              .selectFrom("support_texts as t")
              .select(({ fn }) => fn.max("t.sequence").as("sequence"))
              .whereRef("t.member_id", "=", "m.member_id")
              .where(contains("t.content", text)),
          ),
      );
    },
  };
}

const isSaid = (text: string | undefined): text is string => text !== undefined && text !== "";

/** `column` is already in lower case. */
function contains(column: string, text: string | undefined): RawBuilder<boolean> {
  const pattern = `%${(text ?? "").toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
  return sql<boolean>`${sql.ref(column)} like ${pattern} escape '\\'`;
}

async function counted(query: { executeTakeFirst(): Promise<{ rows: unknown } | undefined> }): Promise<number> {
  return Number((await query.executeTakeFirst())?.rows ?? 0);
}
