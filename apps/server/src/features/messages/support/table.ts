import type { PictureMedia } from "@krug/domain/picture-rules";
import type { LostDeviceState, TicketCategory, TicketPriority, TicketStatus } from "@krug/domain/support-rules";

export type SupportTables = {
  support_conversations: {
    member_id: string;
    /** The newest message's; the next number follows it. */
    last_sequence: number;
    last_message_at: number;
    /** Since when the member waits for an answer, ms; null: no message waits. */
    waiting_since: number | null;
    /** Messages up to this sequence need no answer, as staff said. */
    settled_sequence: number;
    /** The staff member it is assigned to. */
    assigned_to: string | null;
  };
  support_tickets: {
    id: string;
    member_id: string;
    subject: string;
    /** In lower case, for the search. */
    subject_key: string;
    category: TicketCategory;
    priority: TicketPriority;
    status: TicketStatus;
    assigned_to: string | null;
    created_at: number;
    /** When the last message or change of status came. */
    updated_at: number;
    /** The state of a lost device reported at the sign-in page; null: another kind of ticket. */
    lost_device: LostDeviceState | null;
    /** JSON: the devices ({ id, name }) cut by it; null: none, or before this was recorded. */
    lost_cut: string | null;
    /** The name of a service that the member asks for; null: another kind of ticket. */
    wished_service: string | null;
    /** The service that was added for it. */
    wished_service_id: string | null;
  };
  support_messages: {
    id: string;
    /** Whose conversation it is. */
    member_id: string;
    /** From 1, without gaps, over the chat and all tickets of a member, in the order of the commits. */
    sequence: number;
    /** Null: the chat. A ticket's first message is its description. */
    ticket_id: string | null;
    author_id: string;
    /** 1: written by staff. */
    is_admin: number;
    content: string;
    /** When the other side saw it. */
    read_at: number | null;
    idempotency_key: string | null;
    /** SHA-256 of the request that came with the key. */
    idempotency_hash: string | null;
    created_at: number;
  };
  /** A message's text in lower case, for the search. */
  support_texts: {
    member_id: string;
    sequence: number;
    content: string;
  };
  support_attachments: {
    id: string;
    message_id: string;
    member_id: string;
    position: number;
    media: PictureMedia;
    bytes: Uint8Array;
    created_at: number;
  };
};

export type TicketRow = Omit<SupportTables["support_tickets"], "subject_key">;
export type MessageRow = SupportTables["support_messages"];
export type ConversationRow = SupportTables["support_conversations"];
export type AttachmentRow = SupportTables["support_attachments"];
