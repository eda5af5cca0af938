import { isoOf } from "@krug/domain/moment";
import type { SupportParts } from "./parts.ts";
import * as repository from "./repository.ts";

/** A list in an answer has at most this many rows (decisions, section 13). */
const MOST_ROWS = 1_000;

/** A member's conversation with support for their data export: their newest messages, oldest first, and their tickets. */
export const makeOwnConversation =
  ({ db }: Pick<SupportParts, "db">) =>
  async (memberId: string) => {
    const tickets = await repository.ticketsOf(db, memberId, { after: undefined, limit: MOST_ROWS });
    const subjects = new Map(tickets.map(({ id, subject }) => [id, subject]));
    const newest = await repository.lastSequence(db, memberId);
    const messages = await repository.since(db, memberId, newest - MOST_ROWS, MOST_ROWS);
    const images = await repository.attachmentIds(
      db,
      messages.map(({ id }) => id),
    );
    return {
      messages: messages.map((row) => ({
        writtenAt: isoOf(row.created_at),
        from: row.is_admin === 1 ? "support" : "you",
        ticket: subjects.get(row.ticket_id ?? "") ?? null,
        content: row.content,
        images: images.get(row.id)?.length ?? 0,
      })),
      tickets: tickets.map((row) => ({
        subject: row.subject,
        category: row.category,
        priority: row.priority,
        status: row.status,
        openedAt: isoOf(row.created_at),
      })),
    };
  };
