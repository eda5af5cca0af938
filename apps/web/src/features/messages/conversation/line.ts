import { queryOptions } from "@tanstack/react-query";
import { type Message, merged, type Thread } from "./thread.ts";

export type { Message } from "./thread.ts";

/** A ticket's thread; null is the chat. */
export type TicketId = string | null;

/** A message to be sent. */
export interface Written {
  /** The same for every attempt: a message that arrived although its answer was lost does not appear twice. */
  readonly key: string;
  readonly content: string;
  /** Data URLs. */
  readonly images: readonly string[];
}

/** One side of a thread, the member's or staff's: how to read and write it, and who is who in it. */
export interface Line {
  /** Whose drafts and unsent messages these are; separate for each conversation. */
  readonly writer: string;
  readonly ticketId: TicketId;
  readonly queryKey: readonly unknown[];
  /** The newest page, or the one before a message's sequence; oldest first. */
  read(wish: { before?: number; background: boolean; signal?: AbortSignal }): Promise<Message[]>;
  send(written: Written): Promise<Message>;
  /** Reports to the panel that the other side's messages were seen up to this sequence. */
  seen(upTo: number): Promise<void>;
  /** Which side the viewer is on. */
  readonly isStaff: boolean;
  nameOf(message: Message): string;
  readonly ownName: string;
  /** Shown while nothing was written yet. */
  readonly empty: { title: string; lead: string };
}

/** If the live stream is blocked, the timer fetches. */
const REFRESH_MS = 20_000;

/** The newest messages of a thread, joined to the known ones. */
export const threadQuery = ({ queryKey, read }: Pick<Line, "queryKey" | "read">) =>
  queryOptions({
    queryKey,
    queryFn: async ({ signal, client }): Promise<Thread> => {
      const background = client.getQueryData(queryKey) !== undefined;
      const page = await read({ signal, background });
      return merged(client.getQueryData<Thread>(queryKey), page);
    },
    staleTime: 0,
    refetchInterval: REFRESH_MS,
  });

/** A request's parameters for a page of a thread. */
export const pageQuery = (ticketId: TicketId, limit: number, before?: number) => ({
  limit,
  ...(ticketId === null ? {} : { ticketId }),
  ...(before === undefined ? {} : { cursor: before }),
});
