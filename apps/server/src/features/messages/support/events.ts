import { eventType } from "../../../platform/events.ts";

/** Staff answered a member; `ticketId` is null for the chat. */
export const supportAnswered = eventType<{ memberId: string; ticketId: string | null; messageId: string }>(
  "support.answered",
);

/** A member has seen staff's answers. */
export const supportSeen = eventType<{ memberId: string }>("support.seen");

/** A member opened a ticket. */
export const ticketOpened = eventType<{
  ticketId: string;
  memberId: string;
  subject: string;
  member: string;
}>("support.ticket_opened");

/** A service was added that a member had asked for. */
export const wishedServiceAdded = eventType<{ memberId: string; name: string }>("support.wished_service_added");

/** A member wrote, after opening a ticket too. */
export const memberWrote = eventType<{
  memberId: string;
  ticketId: string | null;
  messageId: string;
  content: string;
  images: number;
}>("support.member_wrote");

/** A member wrote who was not waiting before. */
export const conversationWaits = eventType<{ memberId: string; ticketId: string | null }>("support.conversation_waits");
