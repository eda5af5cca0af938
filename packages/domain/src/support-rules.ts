export const TICKET_CATEGORIES = ["general", "technical", "billing", "feature"] as const;
export type TicketCategory = (typeof TICKET_CATEGORIES)[number];

export const TICKET_PRIORITIES = ["low", "medium", "high"] as const;
export type TicketPriority = (typeof TICKET_PRIORITIES)[number];

/** In the order staff move a ticket through them (decisions, section 10). */
export const TICKET_STATUSES = ["open", "in_progress", "closed"] as const;
export type TicketStatus = (typeof TICKET_STATUSES)[number];

/**
 * A device was reported lost on the sign-in page by somebody who named this member: nobody has confirmed it, its key was
 * replaced, or the member says that it was not them.
 */
export const LOST_DEVICE_STATES = ["asked", "cut", "declined"] as const;
export type LostDeviceState = (typeof LOST_DEVICE_STATES)[number];

/** Characters. More than anyone types at once, short enough to read. */
export const MOST_MESSAGE_CHARACTERS = 4_000;
export const MOST_SUBJECT_CHARACTERS = 120;

/** In one message (decisions, section 10). */
export const MOST_IMAGES = 4;
/** Per member in 24 hours: images are stored, so this keeps a member from filling the disk. */
export const MOST_IMAGES_A_DAY = 40;

export type MessageProblem = "support.message_empty" | "support.message_too_long" | "support.too_many_images";

/** Why this can't be sent, or null: it needs text or an image, and has limits. */
export function whyNotMessage(content: string, images: number): MessageProblem | null {
  if (content.trim() === "" && images === 0) return "support.message_empty";
  if (content.length > MOST_MESSAGE_CHARACTERS) return "support.message_too_long";
  return images > MOST_IMAGES ? "support.too_many_images" : null;
}

export type TicketProblem = "support.subject_invalid" | "support.description_missing" | "support.message_too_long";

/** Why this can't be a ticket, or null, in the order of the form's fields. */
export function whyNotTicket({ subject, description }: { subject: string; description: string }): TicketProblem | null {
  if (subject.trim() === "" || subject.length > MOST_SUBJECT_CHARACTERS) return "support.subject_invalid";
  if (description.trim() === "") return "support.description_missing";
  return description.length > MOST_MESSAGE_CHARACTERS ? "support.message_too_long" : null;
}

/** Forward only: a closed ticket stays closed, and a follow-up is a new ticket. Setting the same status changes nothing. */
export function mayBecome(from: TicketStatus, to: TicketStatus): boolean {
  return TICKET_STATUSES.indexOf(to) >= TICKET_STATUSES.indexOf(from);
}
