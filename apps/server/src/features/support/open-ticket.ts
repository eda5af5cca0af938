import { randomUUID } from "node:crypto";
import type { NewTicketInput } from "@krug/contract/support";
import { MOST_MESSAGE_CHARACTERS, MOST_SUBJECT_CHARACTERS, whyNotTicket } from "@krug/domain/support-rules";
import type { Actor } from "../../platform/http/call.ts";
import { requestFingerprint } from "../../platform/http/request-fingerprint.ts";
import { refuse } from "../../platform/refusal.ts";
import { conversationWaits, ticketOpened } from "./events.ts";
import type { SupportParts } from "./parts.ts";
import * as repository from "./repository.ts";
import type { SupportStreams } from "./streams.ts";
import type { TicketRow } from "./table.ts";
import { lockMember } from "./whose.ts";
import { repeated } from "./write-message.ts";

/** Opens a ticket with its description as the first message of its thread. */
export function makeOpenTicket(parts: SupportParts, { changed }: Pick<SupportStreams, "changed">) {
  const { transact, clock, events } = parts;
  return (actor: Actor, wish: NewTicketInput, idempotencyKey: string | null): Promise<TicketRow> => {
    const problem = whyNotTicket(wish);
    if (problem === "support.subject_invalid") refuse(problem, { field: "subject", max: MOST_SUBJECT_CHARACTERS });
    if (problem !== null) refuse(problem, { field: "description", max: MOST_MESSAGE_CHARACTERS });
    const { category, priority } = wish;
    const [subject, description] = [wish.subject.trim(), wish.description.trim()];
    const fingerprint = requestFingerprint({ to: "ticket", ...wish });
    return transact(async (tx) => {
      const member = await lockMember(parts, tx, actor, { member: actor.memberId, asStaff: false });
      const earlier = await repeated(tx, actor, idempotencyKey, fingerprint);
      const known = earlier?.ticket_id ? await repository.ticket(tx, earlier.ticket_id) : undefined;
      if (known !== undefined) return known;
      const isFirst = !(await repository.isWaiting(tx, member.id));
      const now = clock.now().getTime();
      const ticket: TicketRow = {
        id: randomUUID(),
        member_id: member.id,
        subject,
        category,
        priority,
        status: "open",
        assigned_to: null,
        created_at: now,
        updated_at: now,
      };
      await repository.insertTicket(tx, ticket);
      await repository.append(
        tx,
        {
          id: randomUUID(),
          member_id: member.id,
          ticket_id: ticket.id,
          author_id: member.id,
          is_admin: 0,
          content: description,
          read_at: null,
          idempotency_key: idempotencyKey,
          idempotency_hash: idempotencyKey === null ? null : fingerprint,
          created_at: now,
        },
        [],
      );
      const { display_name: name } = member;
      const about = { ticketId: ticket.id, memberId: member.id };
      await events.record(tx, ticketOpened, { ...about, subject, member: name });
      if (isFirst) await events.record(tx, conversationWaits, about);
      changed(tx, member);
      return ticket;
    });
  };
}
