import { randomUUID } from "node:crypto";
import type { NewTicketInput } from "@krug/contract/messages/support";
import { MOST_MESSAGE_CHARACTERS, MOST_SUBJECT_CHARACTERS, whyNotTicket } from "@krug/domain/support-rules";
import type { Tx } from "../../../platform/database/database.ts";
import type { Actor } from "../../../platform/http/call.ts";
import { requestFingerprint } from "../../../platform/http/request-fingerprint.ts";
import { refuse } from "../../../platform/refusal.ts";
import type { MemberRow } from "../../members/members/index.ts";
import { conversationWaits, ticketOpened } from "./events.ts";
import type { SupportParts } from "./parts.ts";
import * as repository from "./repository.ts";
import { tellChanged } from "./streams.ts";
import type { MessageRow, TicketRow } from "./table.ts";
import { lockMember } from "./whose.ts";
import { repeated } from "./write-message.ts";

type Opening = Pick<TicketRow, "subject" | "category" | "priority"> &
  Partial<Pick<TicketRow, "lost_device" | "wished_service">> & { description: string };

/** Writes a ticket of a locked member, with its description as the first message of its thread. */
export const makeWriteTicket =
  (parts: SupportParts) =>
  async (
    tx: Tx,
    member: MemberRow,
    { description, ...opening }: Opening,
    sent: Pick<MessageRow, "idempotency_key" | "idempotency_hash">,
  ): Promise<TicketRow> => {
    const isFirst = !(await repository.isWaiting(tx, member.id));
    const now = parts.clock.now().getTime();
    const ticket: TicketRow = {
      lost_device: null,
      lost_cut: null,
      wished_service: null,
      wished_service_id: null,
      id: randomUUID(),
      member_id: member.id,
      ...opening,
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
        ...sent,
        created_at: now,
      },
      [],
    );
    const about = { ticketId: ticket.id, memberId: member.id };
    await parts.events.record(tx, ticketOpened, { ...about, subject: ticket.subject, member: member.display_name });
    if (isFirst) await parts.events.record(tx, conversationWaits, about);
    tellChanged(parts, tx, member);
    return ticket;
  };

/** Opens a ticket for the member. */
export function makeOpenTicket(parts: SupportParts) {
  const write = makeWriteTicket(parts);
  return (actor: Actor, wish: NewTicketInput, idempotencyKey: string | null): Promise<TicketRow> => {
    const problem = whyNotTicket(wish);
    if (problem === "support.subject_invalid") refuse(problem, { field: "subject", max: MOST_SUBJECT_CHARACTERS });
    if (problem !== null) refuse(problem, { field: "description", max: MOST_MESSAGE_CHARACTERS });
    const { category, priority } = wish;
    const [subject, description] = [wish.subject.trim(), wish.description.trim()];
    const fingerprint = requestFingerprint({ to: "ticket", ...wish });
    return parts.transact(async (tx) => {
      const member = await lockMember(parts, tx, actor, { member: actor.memberId, asStaff: false });
      const earlier = await repeated(tx, actor, idempotencyKey, fingerprint);
      const known = earlier?.ticket_id ? await repository.ticket(tx, earlier.ticket_id) : undefined;
      if (known !== undefined) return known;
      return write(
        tx,
        member,
        { subject, description, category, priority, wished_service: wish.service ?? null },
        { idempotency_key: idempotencyKey, idempotency_hash: idempotencyKey === null ? null : fingerprint },
      );
    });
  };
}
