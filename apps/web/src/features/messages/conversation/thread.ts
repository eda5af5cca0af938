import type { Api } from "@krug/contract/api";

type MemberMessage = Api["GET /support/messages"]["answer"][number];
type StaffMessage = Api["GET /admin/support/conversations/{userId}/messages"]["answer"][number];
/** Only staff see which of them wrote it. */
export type Message = MemberMessage & Partial<Pick<StaffMessage, "authorName">>;

/** Messages per request. */
export const PAGE_SIZE = 50;

/** The known part of a thread: its newest messages without a gap, oldest first. */
export interface Thread {
  readonly messages: readonly Message[];
  /** There are older ones to load. */
  readonly hasOlder: boolean;
}

/**
 * The newest page joined to the known messages. If the two don't touch, messages in between were missed: then the thread starts
 * over from the page, and scrolling loads the older ones.
 */
export function merged(known: Thread | undefined, page: readonly Message[]): Thread {
  const whole = page.length < PAGE_SIZE;
  const oldest = page[0]?.sequence;
  const touches = known !== undefined && oldest !== undefined && (known.messages.at(-1)?.sequence ?? 0) >= oldest;
  if (whole || !touches) return { messages: page, hasOlder: !whole };
  return {
    messages: [...known.messages.filter(({ sequence }) => sequence < oldest), ...page],
    hasOlder: known.hasOlder,
  };
}

/** The page before the known messages. */
export function withOlder(known: Thread, page: readonly Message[]): Thread {
  const oldest = known.messages[0]?.sequence ?? Number.POSITIVE_INFINITY;
  return {
    messages: [...page.filter(({ sequence }) => sequence < oldest), ...known.messages],
    hasOlder: page.length === PAGE_SIZE,
  };
}

/** A message that the panel has just accepted. The next answer brings what others wrote before it. */
export function withSent(known: Thread | undefined, message: Message): Thread {
  const { messages, hasOlder } = known ?? { messages: [], hasOlder: false };
  if (messages.some(({ id }) => id === message.id)) return { messages, hasOlder };
  return { messages: [...messages, message].sort((a, b) => a.sequence - b.sequence), hasOlder };
}
