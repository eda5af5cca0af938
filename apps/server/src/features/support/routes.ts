import type { Contract } from "@krug/contract/api";
import type { ReadInput, ThreadQueryInput, UnreadAnswer } from "@krug/contract/support";
import { isStaff } from "@krug/domain/roles";
import type { Actor, Handlers } from "../../platform/http/call.ts";
import { refuse } from "../../platform/refusal.ts";
import { makeChangeTicket } from "./change-ticket.ts";
import { makeOpenTicket } from "./open-ticket.ts";
import type { SupportParts } from "./parts.ts";
import * as repository from "./repository.ts";
import { seenPage } from "./seen-page.ts";
import type { SupportStreams } from "./streams.ts";
import type { ConversationRow, MessageRow, TicketRow } from "./table.ts";
import { makeAnswers } from "./to-answer.ts";
import { isHidden, memberFor } from "./whose.ts";
import { makeWriteMessage } from "./write-message.ts";

type Reply = { header(name: string, value: string): void };
/** Names in a search go no further than this. */
const MEMBERS_FOUND = 500;

export function makeSupportRoutes(parts: SupportParts, streams: SupportStreams): Handlers<Contract["support"]> {
  return { ...makeMemberRoutes(parts, streams), ...makeStaffRoutes(parts, streams), ...streams.routes };
}

type OfMembers = "messages" | "send" | "unread" | "read" | "attachment" | "tickets" | "openTicket";

function makeMemberRoutes(
  parts: SupportParts,
  streams: SupportStreams,
): Pick<Handlers<Contract["support"]>, OfMembers> {
  const { db, members } = parts;
  const answers = makeAnswers(parts);
  const write = makeWriteMessage(parts, streams);
  const openTicket = makeOpenTicket(parts, streams);
  const threads = makeThreads(parts, streams);

  return {
    messages: async ({ actor, query, reply }) => answers.messages(await threads.page(actor.memberId, query, reply)),

    async send({ actor, body, idempotencyKey }) {
      const row = await write(actor, { member: actor.memberId, asStaff: false }, body, idempotencyKey);
      return first(await answers.messages([row]));
    },

    unread: ({ actor }) => threads.unread(actor.memberId, true),
    read: ({ actor, body }) => threads.read(actor.memberId, body, true),

    async attachment({ actor, params }) {
      const found = (await repository.attachment(db, params.id)) ?? refuse("support.attachment_not_found");
      if (found.member_id !== actor.memberId) {
        if (!isStaff(actor.role)) refuse("support.attachment_not_found");
        if (!actor.elevated) refuse("auth.two_factor_required");
        const member = await members.find(db, found.member_id);
        if (member === undefined || isHidden(actor, member)) refuse("support.attachment_not_found");
      }
      return { fileName: null, media: found.media, content: Buffer.from(found.bytes) };
    },

    async tickets({ actor, query, reply }) {
      const after = await threads.ticketAt(query.cursor, (row) => row.member_id === actor.memberId);
      const rows = await repository.tickets(db, { memberId: actor.memberId, after, limit: query.limit + 1 });
      return answers.tickets(
        cut(rows, query.limit, reply, ({ id }) => id),
        false,
      );
    },

    async openTicket({ actor, body, idempotencyKey }) {
      return first(await answers.tickets([await openTicket(actor, body, idempotencyKey)], false));
    },
  };
}

function makeStaffRoutes(
  parts: SupportParts,
  streams: SupportStreams,
): Omit<Handlers<Contract["support"]>, OfMembers | keyof SupportStreams["routes"]> {
  const { db, members } = parts;
  const answers = makeAnswers(parts);
  const write = makeWriteMessage(parts, streams);
  const changeTicket = makeChangeTicket(parts, streams);
  const threads = makeThreads(parts, streams);

  /** The members a search is about; undefined without one. */
  const membersNamed = async (actor: Actor, q: string | undefined) => {
    if (q === undefined || q === "") return undefined;
    const wish = { text: q, state: "all", withVip: actor.role === "admin" } as const;
    return (await members.search(db, wish, { limit: MEMBERS_FOUND })).rows.map(({ id }) => id);
  };

  return {
    async conversations({ actor, query, reply }) {
      const among = await membersNamed(actor, query.q);
      if (among?.length === 0) return [];
      const start = query.cursor === undefined ? undefined : cursorOf(query.cursor);
      const onlyUnread = ["true", "1"].includes(query.unread);
      const rows = await seenPage<ConversationRow>(parts, actor, query.limit, (last, limit) =>
        repository.conversations(db, { among, onlyUnread, after: last === undefined ? start : placeOf(last), limit }),
      );
      return answers.conversations(
        actor,
        cut(rows, query.limit, reply, (row) => `${row.last_message_at}.${row.member_id}`),
      );
    },

    async conversation({ actor, params, query, reply }) {
      const member = await memberFor(parts, db, actor, params.userId);
      return answers.messagesForStaff(actor, await threads.page(member.id, query, reply));
    },

    async answer({ actor, params, body, idempotencyKey }) {
      const row = await write(actor, { member: params.userId, asStaff: true }, body, idempotencyKey);
      return first(await answers.messagesForStaff(actor, [row]));
    },

    async readConversation({ actor, params, body }) {
      const member = await memberFor(parts, db, actor, params.userId);
      return threads.read(member.id, body, false);
    },

    async allTickets({ actor, query, reply }) {
      const start = await threads.ticketAt(query.cursor, () => true);
      const status = query.status === "all" ? {} : { status: query.status };
      const rows = await seenPage<TicketRow>(parts, actor, query.limit, (last, limit) =>
        repository.tickets(db, { ...status, after: last ?? start, limit }),
      );
      return answers.ticketsForStaff(
        actor,
        cut(rows, query.limit, reply, ({ id }) => id),
      );
    },

    async changeTicket({ actor, params, body }) {
      return first(await answers.ticketsForStaff(actor, [await changeTicket(actor, params.id, body)]));
    },
  };
}

/** What both sides do with a thread. */
function makeThreads({ db, transact, clock, members }: SupportParts, { changed }: SupportStreams) {
  const unread = async (memberId: string, fromStaff: boolean): Promise<UnreadAnswer> => {
    const counts = await repository.unread(db, [memberId], fromStaff);
    return {
      unread: counts.reduce((sum, { count }) => sum + count, 0),
      chat: counts.find(({ ticketId }) => ticketId === null)?.count ?? 0,
    };
  };
  return {
    async page(memberId: string, query: ThreadQueryInput, reply: Reply): Promise<MessageRow[]> {
      const { ticketId = null, limit, cursor, after } = query;
      if (ticketId !== null && (await repository.ticket(db, ticketId))?.member_id !== memberId)
        refuse("support.ticket_not_found", { field: "ticketId" });
      const found = await repository.inThread(db, { memberId, ticketId }, { before: cursor, after, limit: limit + 1 });
      if (found.length <= limit) return found;
      const rows = after === undefined ? found.slice(1) : found.slice(0, limit);
      const edge = after === undefined ? rows[0] : rows.at(-1);
      reply.header("x-next-cursor", String(edge?.sequence));
      return rows;
    },

    unread,

    /** `fromStaff`: it is the member who has seen what staff wrote. */
    async read(memberId: string, { upTo, ticketId = null }: ReadInput, fromStaff: boolean): Promise<UnreadAnswer> {
      const now = clock.now().getTime();
      await transact(async (tx) => {
        const seen = await repository.markRead(tx, { memberId, ticketId }, { fromStaff, upTo, now });
        const member = seen === 0 ? undefined : await members.find(tx, memberId);
        if (member !== undefined) changed(tx, member);
      });
      return unread(memberId, fromStaff);
    },

    async ticketAt(cursor: string | undefined, isRight: (row: TicketRow) => boolean): Promise<TicketRow | undefined> {
      if (cursor === undefined) return undefined;
      const row = await repository.ticket(db, cursor);
      return row !== undefined && isRight(row) ? row : refuse("support.ticket_not_found", { field: "cursor" });
    },
  };
}

/** The page itself of one row more than it, and the header that names the next one. */
function cut<Row>(rows: Row[], limit: number, reply: Reply, cursorAt: (row: Row) => string): Row[] {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  if (rows.length > page.length && last !== undefined) reply.header("x-next-cursor", cursorAt(last));
  return page;
}

const placeOf = (row: ConversationRow) => ({ at: row.last_message_at, memberId: row.member_id });

function cursorOf(text: string): repository.ConversationCursor {
  const [at, memberId = ""] = text.split(".");
  return { at: Number(at), memberId };
}

const first = <Row>(rows: readonly Row[]): Row => rows[0] ?? refuse("support.ticket_not_found");
