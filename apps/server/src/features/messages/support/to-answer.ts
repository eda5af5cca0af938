import type {
  ConversationAnswer,
  StaffSupportMessageAnswer,
  StaffTicketAnswer,
  SupportMessageAnswer,
  TicketAnswer,
} from "@krug/contract/messages/support";
import { isoOf } from "@krug/domain/moment";
import type { Db } from "../../../platform/database/database.ts";
import type { Actor } from "../../../platform/http/call.ts";
import { isHidden } from "../../club/rights/index.ts";
import type { MemberRow } from "../../members/members/index.ts";
import { readCut } from "./lost-cut.ts";
import type { SupportParts } from "./parts.ts";
import * as repository from "./repository.ts";
import type { ConversationRow, MessageRow, TicketRow } from "./table.ts";

/** Rows as the contract shows them: a whole list with a few statements, however long it is. */
export function makeAnswers({ db, members }: Pick<SupportParts, "db" | "members">) {
  const messages = async (rows: readonly MessageRow[]): Promise<SupportMessageAnswer[]> => {
    const images = await repository.attachmentIds(
      db,
      rows.map(({ id }) => id),
    );
    return rows.map((row) => ({
      id: row.id,
      sequence: row.sequence,
      userId: row.member_id,
      ticketId: row.ticket_id,
      content: row.content,
      isAdmin: row.is_admin === 1,
      attachments: (images.get(row.id) ?? []).map((id) => `/api/support/attachments/${id}`),
      createdAt: isoOf(row.created_at),
      readAt: isoOf(row.read_at),
    }));
  };

  /** The members with these ids whom this staff member may see. */
  const seenBy = async (actor: Actor, ids: Iterable<string>): Promise<Map<string, MemberRow>> => {
    const rows = await members.byIds(db, [...new Set(ids)]);
    return new Map(rows.filter((row) => !isHidden(actor, row)).map((row) => [row.id, row]));
  };

  const messagesForStaff = async (actor: Actor, rows: readonly MessageRow[]): Promise<StaffSupportMessageAnswer[]> => {
    const authors = await seenBy(
      actor,
      rows.map((row) => row.author_id),
    );
    const shown = await messages(rows);
    return shown.map((message, index) => ({
      ...message,
      authorName: nameOf(authors.get(rows[index]?.author_id ?? "")),
    }));
  };

  const tickets = async (rows: readonly TicketRow[], forStaff: boolean): Promise<TicketAnswer[]> => {
    const texts = await repository.descriptions(
      db,
      rows.map(({ id }) => id),
    );
    const counts = await unreadByThread(db, rows, !forStaff);
    return rows.map((row) => ({
      id: row.id,
      userId: row.member_id,
      subject: row.subject,
      description: texts.get(row.id) ?? "",
      category: row.category,
      priority: row.priority,
      status: row.status,
      unread: counts.get(row.id) ?? 0,
      createdAt: isoOf(row.created_at),
      updatedAt: isoOf(row.updated_at),
    }));
  };

  /** Tickets of members whom the reader may not see are left out. */
  const ticketsForStaff = async (actor: Actor, rows: readonly TicketRow[]): Promise<StaffTicketAnswer[]> => {
    const people = await seenBy(actor, [...rows.map((row) => row.member_id), ...assigneesOf(rows)]);
    const seen = rows.filter((row) => people.has(row.member_id));
    const shown = await tickets(seen, true);
    return shown.map((ticket, index) => {
      const member = people.get(ticket.userId);
      return {
        ...ticket,
        username: member?.username ?? "",
        displayName: member?.display_name ?? "",
        assignedTo: colleague(people.get(seen[index]?.assigned_to ?? "")),
        lostDevice: seen[index]?.lost_device ?? null,
        lostCut: readCut(seen[index]?.lost_cut ?? null),
        wishedService: wishIn(seen[index]),
      };
    });
  };

  const byMember = async (actor: Actor, rows: readonly MessageRow[]) =>
    new Map((await messagesForStaff(actor, rows)).map((message) => [message.userId, message]));

  /** Leaves out those of members whom the reader may not see. `found`: the messages that a search found, of these members. */
  const conversations = async (
    actor: Actor,
    rows: readonly ConversationRow[],
    found: readonly MessageRow[],
  ): Promise<ConversationAnswer[]> => {
    const ids = rows.map((row) => row.member_id);
    const people = await seenBy(actor, [...ids, ...assigneesOf(rows)]);
    const lastShown = await byMember(actor, await repository.lastMessages(db, ids));
    const foundShown = await byMember(actor, found);
    const unread = new Map<string, number>();
    for (const { memberId, count } of await repository.unread(db, ids, false))
      unread.set(memberId, (unread.get(memberId) ?? 0) + count);
    const openTickets = await repository.countOpenTickets(db, ids);
    return rows.flatMap(({ member_id: id, waiting_since: since, assigned_to }) => {
      const member = people.get(id);
      const lastMessage = lastShown.get(id);
      if (member === undefined || lastMessage === undefined) return [];
      return {
        userId: id,
        username: member.username,
        displayName: member.display_name,
        unread: unread.get(id) ?? 0,
        openTickets: openTickets.get(id) ?? 0,
        waitingSince: isoOf(since),
        assignedTo: colleague(people.get(assigned_to ?? "")),
        lastMessage,
        found: foundShown.get(id) ?? null,
      };
    });
  };

  return { messages, messagesForStaff, tickets, ticketsForStaff, conversations };
}

/** Unseen messages by ticket. */
async function unreadByThread(db: Db, rows: readonly TicketRow[], fromStaff: boolean): Promise<Map<string, number>> {
  const memberIds = [...new Set(rows.map((row) => row.member_id))];
  const counts = await repository.unread(db, memberIds, fromStaff);
  return new Map(counts.flatMap(({ ticketId, count }) => (ticketId === null ? [] : [[ticketId, count] as const])));
}

const assigneesOf = (rows: readonly Pick<TicketRow, "assigned_to">[]) =>
  rows.flatMap(({ assigned_to }) => (assigned_to === null ? [] : [assigned_to]));

/** A staff member as colleagues see them; null also if the reader may not see them. */
export const colleague = (member: MemberRow | undefined) =>
  member === undefined ? null : { id: member.id, displayName: nameOf(member) ?? "" };

const wishIn = (ticket: TicketRow | undefined) =>
  ticket?.wished_service == null ? null : { name: ticket.wished_service, isAdded: ticket.wished_service_id !== null };

const nameOf = (member: MemberRow | undefined) =>
  member === undefined ? null : member.display_name || member.username;
