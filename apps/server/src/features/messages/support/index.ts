import type { LostDeviceState } from "@krug/domain/support-rules";
import type { Db, Tx } from "../../../platform/database/database.ts";
import { type MemberRow, memberDeleted, staffLeft } from "../../members/members/index.ts";
import { serviceAdded } from "../../vpn/catalog/index.ts";
import { wishedServiceAdded } from "./events.ts";
import { makeLists, type Reader } from "./lists.ts";
import { type CutDevice, withCut } from "./lost-cut.ts";
import { makeWriteTicket } from "./open-ticket.ts";
import { makeOwnConversation } from "./own-conversation.ts";
import type { SupportParts } from "./parts.ts";
import { makeRelease } from "./release.ts";
import * as repository from "./repository.ts";
import { tellChanged } from "./streams.ts";
import { makeWriteMessage } from "./write-message.ts";

export {
  conversationWaits,
  memberWrote,
  supportAnswered,
  supportSeen,
  ticketOpened,
  wishedServiceAdded,
} from "./events.ts";

export type Support = ReturnType<typeof makeSupport>;

/** Members write to staff and staff answer: a chat and tickets, in one message sequence for each member (decisions, section 10). */
export function makeSupport(parts: SupportParts) {
  const { events } = parts;
  const release = makeRelease(parts);
  events.on(staffLeft, (tx, { memberId, byId }) => release.ofWhoLeft(tx, memberId, byId));
  events.on(memberDeleted, async (tx, { memberId }) => {
    await repository.deleteAll(tx, memberId);
    await release.ofDeleted(tx, memberId);
  });
  events.on(serviceAdded, async (tx, { serviceId, name, ticketId }) => {
    const ticket = ticketId === null ? undefined : await repository.lockTicket(tx, ticketId);
    if (ticket === undefined || ticket.wished_service === null || ticket.wished_service_id !== null) return;
    const [member] = await parts.members.byIds(tx, [ticket.member_id]);
    if (member === undefined) return;
    await repository.updateTicket(tx, ticket.id, { wished_service_id: serviceId });
    await events.record(tx, wishedServiceAdded, { memberId: member.id, name });
    tellChanged(parts, tx, member);
  });
  const lists = makeLists(parts.members);
  const writeTicket = makeWriteTicket(parts);
  return {
    /** Opens a ticket of a locked member about a device reported lost. */
    openLostDevice: async (
      tx: Tx,
      member: MemberRow,
      said: { subject: string; description: string },
    ): Promise<string> =>
      (
        await writeTicket(
          tx,
          member,
          { ...said, category: "technical", priority: "high", lost_device: "asked" },
          { idempotency_key: null, idempotency_hash: null },
        )
      ).id,
    /** Staff's answer, wherever they write it. */
    write: makeWriteMessage(parts, { changed: (tx, member) => tellChanged(parts, tx, member) }),
    findTicket: repository.ticket,
    lockTicket: repository.lockTicket,
    async noteLostDevice(
      tx: Tx,
      ticketId: string,
      member: MemberRow,
      now: { state: Exclude<LostDeviceState, "cut"> } | { state: "cut"; device: CutDevice | null },
    ): Promise<void> {
      await repository.updateTicket(tx, ticketId, {
        lost_device: now.state,
        ...(now.state === "cut" && {
          lost_cut: withCut((await repository.ticket(tx, ticketId))?.lost_cut ?? null, now.device),
        }),
      });
      tellChanged(parts, tx, member);
    },
    /** How many conversations wait for an answer, and how many tickets are not closed. */
    async waiting(db: Db, reader: Reader): Promise<{ conversations: number; tickets: number }> {
      const conversations = await lists.countWaiting(db, reader);
      const { open, in_progress } = await lists.countTicketsByStatus(db, reader);
      return { conversations, tickets: open + in_progress };
    },
    chatsWaiting: lists.countWaiting,
    unseenAnswers: repository.unseenAnswers,
    dataExport: { support: makeOwnConversation(parts) },
    /** The newest tickets with a text in the subject. */
    ticketsAbout: lists.ticketsAbout,
  };
}
