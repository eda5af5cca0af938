import type { Contract } from "@krug/contract/api";
import type { ReadInput, ThreadQueryInput, UnreadAnswer } from "@krug/contract/messages/support";
import { isoOf } from "@krug/domain/moment";
import type { Actor, Handlers } from "../../../platform/http/call.ts";
import { pageOf, readCursor, tellPage, writeCursor } from "../../../platform/pages.ts";
import { refuse } from "../../../platform/refusal.ts";
import { isHidden, requireRight, seesVip } from "../../club/rights/index.ts";
import { makeAssignConversation } from "./assign-conversation.ts";
import { makeChangeTicket } from "./change-ticket.ts";
import { supportSeen } from "./events.ts";
import { makeLists, type Reader } from "./lists.ts";
import { makeOpenTicket } from "./open-ticket.ts";
import type { SupportParts } from "./parts.ts";
import * as repository from "./repository.ts";
import { makeSetWaiting } from "./set-waiting.ts";
import { makeStreams, type SupportStreams } from "./streams.ts";
import type { MessageRow, TicketRow } from "./table.ts";
import { colleague, makeAnswers } from "./to-answer.ts";
import { memberFor } from "./whose.ts";
import { makeWriteMessage } from "./write-message.ts";

type Reply = { header(name: string, value: string): void };

export function makeSupportRoutes(parts: SupportParts): Handlers<Contract["support"]> {
  const streams = makeStreams(parts);
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
  const openTicket = makeOpenTicket(parts);
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
        requireRight(actor, "support.answer", "support.attachment_not_found");
        const member = await members.find(db, found.member_id);
        if (member === undefined || isHidden(actor, member)) refuse("support.attachment_not_found");
      }
      return { fileName: null, media: found.media, content: Buffer.from(found.bytes) };
    },

    async tickets({ actor, query, reply }) {
      const after = await threads.ticketAt(query.cursor, (row) => row.member_id === actor.memberId);
      const found = await repository.ticketsOf(db, actor.memberId, { after, limit: query.limit + 1 });
      const { rows, next } = pageOf(found, query, ({ id }) => id);
      tellPage(reply, { next });
      return answers.tickets(rows, false);
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
  const setWaiting = makeSetWaiting(parts, streams);
  const assignConversation = makeAssignConversation(parts, streams);
  const threads = makeThreads(parts, streams);
  const lists = makeLists(members);

  return {
    async conversations({ actor, query, reply }) {
      const [reader, search] = [readerOf(actor, query.as), { text: query.q, show: query.show, memberId: query.userId }];
      const after = readCursor(query.cursor, "number");
      const isWaiting = query.show === "waiting";
      const list = isWaiting ? lists.waitingLongest : lists.conversations;
      const read = await list(db, reader, search, { after, limit: query.limit + 1 });
      const { rows, next } = pageOf(read, query, (last) =>
        writeCursor(isWaiting ? (last.waiting_since ?? 0) : last.last_message_at, last.member_id),
      );
      const count = () => lists.countConversations(db, reader, search);
      tellPage(reply, { next, ...(await totalOf(query, rows, next, count)) });
      const found = await lists.found(
        db,
        rows.map((row) => row.member_id),
        query.q,
      );
      return answers.conversations(actor, rows, found);
    },

    async waiting({ actor, query }) {
      const reader = readerOf(actor, query.as);
      const [unread, conversations, tickets] = await Promise.all([
        lists.countUnread(db, reader),
        lists.countWaiting(db, reader),
        lists.countTicketsByStatus(db, reader),
      ]);
      return { unread, conversations, tickets };
    },

    async colleagues({ actor }) {
      const rows = (await members.activeStaff(db)).filter((row) => !isHidden(actor, row));
      return rows.flatMap((row) => colleague(row) ?? []);
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

    async setWaiting({ actor, params, body }) {
      const since = await setWaiting(actor, params.userId, body);
      return { waitingSince: isoOf(since) };
    },

    async assignConversation({ actor, params, body }) {
      const id = await assignConversation(actor, params.userId, body);
      const holder = id === null ? undefined : await members.find(db, id);
      return { assignedTo: holder === undefined || isHidden(actor, holder) ? null : colleague(holder) };
    },

    async allTickets({ actor, query, reply }) {
      const reader = readerOf(actor, query.as);
      const search = {
        text: query.q,
        hands: query.hands,
        memberId: query.userId,
        ...(query.status === "all" ? {} : { status: query.status }),
      };
      const after = await threads.ticketAt(query.cursor, () => true);
      const found = await lists.tickets(db, reader, search, { after, limit: query.limit + 1 });
      const { rows, next } = pageOf(found, query, ({ id }) => id);
      const count = () => lists.countTickets(db, reader, search);
      tellPage(reply, { next, ...(await totalOf(query, rows, next, count)) });
      return answers.ticketsForStaff(actor, rows);
    },

    async changeTicket({ actor, params, body }) {
      return first(await answers.ticketsForStaff(actor, [await changeTicket(actor, params.id, body)]));
    },
  };
}

/** What both sides do with a thread. */
function makeThreads({ db, transact, clock, events, members }: SupportParts, { changed }: SupportStreams) {
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

    /** `fromStaff`: the member has seen staff's messages. */
    async read(memberId: string, { upTo, ticketId = null }: ReadInput, fromStaff: boolean): Promise<UnreadAnswer> {
      const now = clock.now().getTime();
      await transact(async (tx) => {
        const seen = await repository.markRead(tx, { memberId, ticketId }, { fromStaff, upTo, now });
        const member = seen === 0 ? undefined : await members.find(tx, memberId);
        if (member === undefined) return;
        changed(tx, member);
        if (fromStaff) await events.record(tx, supportSeen, { memberId });
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

/** The first page of a search does not wait for the total. */
async function totalOf(
  { cursor, q }: { cursor?: string | undefined; q?: string | undefined },
  rows: readonly unknown[],
  next: string | null,
  count: () => Promise<number>,
): Promise<{ total?: number }> {
  if (cursor === undefined && next === null) return { total: rows.length };
  return (q ?? "") === "" ? { total: await count() } : {};
}

/** An admin who views as a moderator gets a moderator's answer. */
const readerOf = (actor: Actor, as?: "moderator"): Reader => ({
  memberId: actor.memberId,
  withVip: seesVip(actor, as),
});

const first = <Row>(rows: readonly Row[]): Row => rows[0] ?? refuse("support.ticket_not_found");
