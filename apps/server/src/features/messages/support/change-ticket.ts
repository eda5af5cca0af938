import type { TicketChangeInput } from "@krug/contract/messages/support";
import { mayBecome } from "@krug/domain/support-rules";
import type { Tx } from "../../../platform/database/database.ts";
import type { Actor } from "../../../platform/http/call.ts";
import { refuse } from "../../../platform/refusal.ts";
import { isHidden } from "../../club/rights/index.ts";
import { makeHands } from "./hands.ts";
import type { SupportParts } from "./parts.ts";
import * as repository from "./repository.ts";
import type { SupportStreams } from "./streams.ts";
import type { TicketRow } from "./table.ts";

/** Moves a ticket's status forward, or assigns it (decisions, section 10). An unchanged value is not a change. */
export function makeChangeTicket(parts: SupportParts, { changed }: Pick<SupportStreams, "changed">) {
  const { transact, clock, members, audit } = parts;
  const hands = makeHands(parts);

  /** Refuses if somebody else has changed the same fields (`expected` says what the editor saw). */
  const refuseUnseen = async (tx: Tx, actor: Actor, ticket: TicketRow, expected: TicketChangeInput["expected"]) => {
    const { status = ticket.status, assignedTo } = expected ?? {};
    const isSeen =
      status === ticket.status &&
      (assignedTo === undefined || (await hands.isSeen(tx, actor, ticket.assigned_to, assignedTo)));
    if (!isSeen) refuse("support.ticket_changed_meanwhile");
  };

  return (actor: Actor, id: string, input: TicketChangeInput): Promise<TicketRow> =>
    transact(async (tx) => {
      const receiver = await hands.lockReceiver(tx, input.assignedTo);
      const ticket = (await repository.lockTicket(tx, id)) ?? refuse("support.ticket_not_found");
      const member = await members.find(tx, ticket.member_id);
      if (member === undefined || isHidden(actor, member)) refuse("support.ticket_not_found");
      await refuseUnseen(tx, actor, ticket, input.expected);
      const status = input.status ?? ticket.status;
      const assigned_to = input.assignedTo === undefined ? ticket.assigned_to : input.assignedTo;
      if (status === ticket.status && assigned_to === ticket.assigned_to) return ticket;
      if (!mayBecome(ticket.status, status)) refuse("support.ticket_backwards", { field: "status" });
      if (assigned_to !== null && assigned_to !== ticket.assigned_to) hands.refuseUnlessStaff(actor, receiver, member);
      const change = {
        status,
        assigned_to,
        updated_at: status === ticket.status ? ticket.updated_at : clock.now().getTime(),
      };
      await repository.updateTicket(tx, id, change);
      if (status === "closed") await repository.updateWaiting(tx, ticket.member_id);
      await audit.record(tx, actor.memberId, "support.ticket_changed", {
        target: id,
        memberId: ticket.member_id,
        before: { status: ticket.status, assignedTo: ticket.assigned_to },
        after: { status, assignedTo: assigned_to },
      });
      changed(tx, member);
      return { ...ticket, ...change };
    });
}
