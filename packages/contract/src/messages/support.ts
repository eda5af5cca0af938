import { LOST_DEVICE_STATES, TICKET_CATEGORIES, TICKET_PRIORITIES, TICKET_STATUSES } from "@krug/domain/support-rules";
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { bodyWithPictures, Flag, Id, line, SentPicture, Time, twins } from "../fields.ts";

const Status = z.enum(TICKET_STATUSES);
const Category = z.enum(TICKET_CATEGORIES);
const Priority = z.enum(TICKET_PRIORITIES);

/** Numbers a member's messages from 1 in the order they were written, across the chat and all tickets. */
const Sequence = z.int().positive();

/** One message of a member's chat or of one of their tickets (specification, member's side 3). */
export const SupportMessage = z.object({
  id: Id,
  sequence: Sequence,
  /** The member whose conversation it is, no matter who wrote it. */
  userId: Id,
  /** null: the chat. */
  ticketId: Id.nullable(),
  content: z.string(),
  /** Written by staff. */
  isAdmin: z.boolean(),
  /** Where to get its images: /api/support/attachments/{id}. */
  attachments: z.array(z.string()),
  createdAt: Time,
  /** When the other side had it on screen. */
  readAt: Time.nullable(),
});

/** Staff also see who on staff wrote it: null if that person is deleted or not visible to the reader. */
const StaffSupportMessage = SupportMessage.extend({ authorName: z.string().nullable() });

export const Ticket = z.object({
  id: Id,
  userId: Id,
  subject: z.string(),
  description: z.string(),
  category: Category,
  priority: Priority,
  status: Status,
  /** Messages from the other side that the reader has not seen. */
  unread: z.int().nonnegative(),
  createdAt: Time,
  /** Of the last message or status change. */
  updatedAt: Time,
});

/** A member of staff. */
const Colleague = z.object({ id: Id, displayName: z.string() });

const StaffTicket = Ticket.extend({
  username: z.string(),
  displayName: z.string(),
  /** Who on staff handles it. */
  assignedTo: Colleague.nullable(),
  /** The state of a device reported lost on the sign-in page; null: another kind of ticket. */
  lostDevice: z.enum(LOST_DEVICE_STATES).nullable(),
  /** The devices that were cut off because of it; null: none yet, or by a version that did not record them. */
  lostCut: z.array(z.object({ id: Id, name: z.string() })).nullable(),
  /** A service that the member asks for; null: another kind of ticket. */
  wishedService: z.object({ name: z.string(), isAdded: z.boolean() }).nullable(),
});

const Conversation = z.object({
  userId: Id,
  username: z.string(),
  displayName: z.string(),
  /** The member's messages nobody on staff has seen, tickets included. */
  unread: z.int().nonnegative(),
  openTickets: z.int().nonnegative(),
  /** When they started to wait for staff's answer; null: they are not waiting. */
  waitingSince: Time.nullable(),
  /** Who handles it; tickets have their own assignees. */
  assignedTo: Colleague.nullable(),
  lastMessage: StaffSupportMessage,
  /** The newest message matching the search; null if only the name matches, or without a search. */
  found: StaffSupportMessage.nullable(),
});

/** What waits for staff. */
const Waiting = z.object({
  /** Conversations with messages nobody on staff has seen. */
  unread: z.int().nonnegative(),
  /** Conversations whose last message is the member's and needs an answer. */
  conversations: z.int().nonnegative(),
  /** Tickets by status. */
  tickets: z.object({ open: z.int().nonnegative(), in_progress: z.int().nonnegative(), closed: z.int().nonnegative() }),
});

/** Set by an admin who views as a moderator: VIP members are left out of the answer. */
const as = z.literal("moderator").optional();

/** The support rules check lengths and counts and name what is wrong. */
const Content = z.string().max(100_000);
const NewMessage = twins(
  z.strictObject({
    content: Content.default(""),
    attachments: z.array(SentPicture).max(100).default([]),
    /** The ticket to write into; the chat if absent. */
    ticketId: Id.nullish(),
  }),
  { text: "content", ticket_id: "ticketId" },
);

const NewTicket = z.strictObject({
  subject: Content,
  description: Content,
  category: Category.default("general"),
  priority: Priority.default("medium"),
  /** The specification's payload includes it; a new ticket is always open. */
  status: z.literal("open").optional(),
  /** Beyond the specifications: the name of a service that is missed. Staff can add it from the ticket. */
  service: line(64).optional(),
});

/** A moderator's or admin's id; null: nobody. */
const Assignee = Id.nullable();

const TicketChange = twins(
  z.strictObject({
    status: Status.optional(),
    assignedTo: Assignee.optional(),
    /** What the editor saw: if it differs now, the change is refused. */
    expected: z.strictObject({ status: Status, assignedTo: Id.nullable() }).partial().optional(),
  }),
  { assigned_to: "assignedTo" },
);

const Read = twins(z.strictObject({ upTo: Sequence, ticketId: Id.nullish() }), {
  up_to: "upTo",
  ticket_id: "ticketId",
});

const Unread = z.object({
  unread: z.int().nonnegative(),
  /** How many of these are in the chat. */
  chat: z.int().nonnegative(),
});

const Thread = {
  /** The ticket whose thread is requested; the chat if absent. */
  ticketId: Id.optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  /** Messages before this sequence, i.e. the previous page. `X-Next-Cursor` names the next one. */
  cursor: z.coerce.number().int().positive().optional(),
  /** Messages after this sequence: everything written since, nothing lost or repeated. Wins over `cursor`. */
  after: z.coerce.number().int().nonnegative().optional(),
};
const ThreadQuery = z.object(Thread);
const Rows = { limit: z.coerce.number().int().min(1).max(200).default(50), cursor: z.string().max(200).optional() };
/** A member's id or username; the id is tried first (decisions, section 2). */
const MemberPath = z.object({ userId: z.string().min(1).max(64) });
const messageRefusals = [
  "support.message_empty",
  "support.message_too_long",
  "support.too_many_images",
  "support.image_invalid",
  "picture.too_detailed",
  "picture.upload_gone",
  "support.ticket_not_found",
  "support.ticket_closed",
  "request.idempotency_mismatch",
] as const;
const BODY_LIMIT = bodyWithPictures(4);

export const support = {
  messages: endpoint("GET /support/messages", {
    access: "member",
    scope: "support:read",
    summary: "Your chat with support, or the thread of a ticket: the newest page, oldest first",
    query: ThreadQuery,
    answer: z.array(SupportMessage),
    refusals: ["support.ticket_not_found"],
  }),
  send: endpoint("POST /support/messages", {
    access: "member",
    scope: "support:write",
    summary:
      "Write to support: text, up to 4 images of 5 MB (PNG, JPEG, WebP, GIF), uploaded before or as data URLs, or both; an Idempotency-Key header makes a repeated request safe",
    body: NewMessage,
    bodyLimit: BODY_LIMIT,
    answer: SupportMessage,
    status: 201,
    creation: true,
    refusals: [...messageRefusals, "support.images_a_day"],
  }),
  unread: endpoint("GET /support/unread", {
    access: "member",
    scope: "support:read",
    summary: "How many of support's answers you have not seen",
    answer: Unread,
  }),
  read: endpoint("POST /support/read", {
    access: "member",
    scope: "support:write",
    summary: "Mark support's messages as seen up to a sequence, in the chat or in a ticket",
    body: Read,
    answer: Unread,
  }),
  attachment: endpoint("GET /support/attachments/{id}", {
    access: "member",
    scope: "support:read",
    summary: "An image of a message, for the conversation's member and elevated staff",
    answer: { media: "image/*" },
    refusals: ["support.attachment_not_found", "auth.two_factor_required"],
  }),
  tickets: endpoint("GET /support/tickets", {
    access: "member",
    scope: "support:read",
    summary: "Your tickets, newest first",
    query: z.object(Rows),
    answer: z.array(Ticket),
    refusals: ["support.ticket_not_found"],
  }),
  openTicket: endpoint("POST /support/tickets", {
    access: "member",
    scope: "support:write",
    summary: "Open a ticket; an Idempotency-Key header makes a repeated request safe",
    body: NewTicket,
    answer: Ticket,
    status: 201,
    creation: true,
    refusals: [
      "support.subject_invalid",
      "support.description_missing",
      "support.message_too_long",
      "request.idempotency_mismatch",
    ],
  }),
  stream: endpoint("GET /support/stream", {
    access: "member",
    summary:
      "Your messages as they are written, chat and tickets; an event's id is the message's sequence, and a client that returns with Last-Event-ID first gets what it missed",
    answer: { events: { message: SupportMessage } },
  }),
  conversations: endpoint("GET /admin/support/conversations", {
    needs: "support.answer",
    scope: "support:read",
    summary:
      "Members with a conversation, the last message first; `q` matches part of a name or a message; results are counted if they fit on one page",
    query: z.object({
      limit: Rows.limit,
      cursor: Rows.cursor,
      q: z.string().trim().max(100).optional(),
      /**
       * `waiting`: for an answer, the longest first; `unread`: with unseen messages; `mine`: assigned to the caller, or with an
       * open ticket that is.
       */
      show: z.enum(["all", "waiting", "unread", "mine"]).default("all"),
      /** Only this member's. */
      userId: Id.optional(),
      as,
    }),
    answer: z.array(Conversation),
  }),
  waiting: endpoint("GET /admin/support/waiting", {
    needs: "support.answer",
    scope: "support:read",
    summary: "How many conversations have something unseen, and how many tickets are in each state",
    query: z.object({ as }),
    answer: Waiting,
  }),
  colleagues: endpoint("GET /admin/support/colleagues", {
    needs: "support.answer",
    scope: "support:read",
    summary: "Staff to whom a ticket or a conversation can be assigned",
    answer: z.array(Colleague),
  }),
  conversation: endpoint("GET /admin/support/conversations/{userId}/messages", {
    needs: "support.answer",
    scope: "support:read",
    summary: "A member's chat, or the thread of a ticket: the newest page, oldest first",
    params: MemberPath,
    query: ThreadQuery,
    answer: z.array(StaffSupportMessage),
    refusals: ["member.not_found", "support.ticket_not_found"],
  }),
  answer: endpoint("POST /admin/support/conversations/{userId}/messages", {
    needs: "support.answer",
    scope: "support:write",
    summary: "Write to a member, as an answer or first; an Idempotency-Key header makes a repeated request safe",
    params: MemberPath,
    body: NewMessage,
    bodyLimit: BODY_LIMIT,
    answer: StaffSupportMessage,
    status: 201,
    creation: true,
    refusals: [...messageRefusals, "member.not_found"],
  }),
  readConversation: endpoint("POST /admin/support/conversations/{userId}/read", {
    needs: "support.answer",
    scope: "support:write",
    summary: "Mark a member's messages as seen by staff up to a sequence, in the chat or in a ticket",
    params: MemberPath,
    body: Read,
    answer: Unread,
    refusals: ["member.not_found"],
  }),
  setWaiting: endpoint("PUT /admin/support/conversations/{userId}/waiting", {
    needs: "support.answer",
    scope: "support:write",
    summary:
      "Say that a conversation needs no answer, or does after all; messages after `upTo` keep waiting. Returns since when it waits",
    params: MemberPath,
    body: z.strictObject({ waiting: Flag, upTo: Sequence }),
    answer: z.object({ waitingSince: Time.nullable() }),
    refusals: ["member.not_found"],
  }),
  assignConversation: endpoint("PUT /admin/support/conversations/{userId}/assignee", {
    needs: "support.answer",
    scope: "support:write",
    summary: "Take a conversation, assign it to somebody else on staff, or unassign it",
    params: MemberPath,
    body: twins(
      z.strictObject({
        assignedTo: Assignee,
        /** Who it was assigned to when the editor looked: if that has changed, the change is refused. */
        expected: z.strictObject({ assignedTo: Id.nullable() }).optional(),
      }),
      { assigned_to: "assignedTo" },
    ),
    answer: z.object({ assignedTo: Colleague.nullable() }),
    refusals: [
      "member.not_found",
      "support.conversation_not_found",
      "support.assignee_unknown",
      "support.assignee_sees_not",
      "support.conversation_changed_meanwhile",
    ],
  }),
  deskStream: endpoint("GET /admin/support/stream", {
    needs: "support.answer",
    summary: "Whose conversation changed (a message, a ticket, or what was seen), so that the page reloads it",
    answer: { events: { changed: z.object({ userId: Id }) } },
  }),
  allTickets: endpoint("GET /admin/support/tickets", {
    needs: "support.answer",
    scope: "support:read",
    summary:
      "Tickets, newest first; `q` matches part of the subject or of the member's name; results are counted if they fit on one page",
    query: z.object({
      ...Rows,
      q: z.string().trim().max(100).optional(),
      status: z.enum(["all", ...TICKET_STATUSES]).default("all"),
      hands: z.enum(["any", "mine", "nobody"]).default("any"),
      /** Only this member's. */
      userId: Id.optional(),
      as,
    }),
    answer: z.array(StaffTicket),
    refusals: ["support.ticket_not_found"],
  }),
  changeTicket: endpoint("PUT /admin/support/tickets/{id}", {
    needs: "support.answer",
    scope: "support:write",
    summary: "Move a ticket forward (open, in_progress, closed) or assign it",
    body: TicketChange,
    answer: StaffTicket,
    refusals: [
      "support.ticket_not_found",
      "support.ticket_backwards",
      "support.assignee_unknown",
      "support.assignee_sees_not",
      "support.ticket_changed_meanwhile",
    ],
  }),
};

export type SupportMessageAnswer = z.output<typeof SupportMessage>;
export type StaffSupportMessageAnswer = z.output<typeof StaffSupportMessage>;
export type TicketAnswer = z.output<typeof Ticket>;
export type StaffTicketAnswer = z.output<typeof StaffTicket>;
export type ConversationAnswer = z.output<typeof Conversation>;
export type NewMessageInput = z.output<typeof NewMessage>;
export type NewTicketInput = z.output<typeof NewTicket>;
export type AssignmentInput = z.output<typeof support.assignConversation.body>;
export type TicketChangeInput = z.output<typeof TicketChange>;
export type ThreadQueryInput = z.output<typeof ThreadQuery>;
export type ReadInput = z.output<typeof Read>;
export type UnreadAnswer = z.output<typeof Unread>;
/** Event → its data, for staff's stream. */
export type DeskEventData = { changed: { userId: string } };
