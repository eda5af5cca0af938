import type { Api } from "@krug/contract/api";
import { queryOptions } from "@tanstack/react-query";
import { api } from "../../lib/api.ts";
import { merged, PAGE_SIZE, type Thread } from "./thread.ts";

export type Message = Api["GET /support/messages"]["answer"][number];
export type Ticket = Api["GET /support/tickets"]["answer"][number];
/** A ticket's thread; null is the chat. */
export type TicketId = string | null;

/** Where the live stream does not come through, the timers tell. */
const OPEN_REFRESH_MS = 20_000;
const COUNT_REFRESH_MS = 120_000;

export const unreadQuery = queryOptions({
  queryKey: ["support", "unread"],
  queryFn: ({ signal, client, queryKey }) =>
    api("GET /support/unread", { signal, background: client.getQueryData(queryKey) !== undefined }),
  refetchInterval: COUNT_REFRESH_MS,
});

/** The newest messages of a thread, joined to what is known of it. */
export const threadQuery = (ticketId: TicketId) =>
  queryOptions({
    queryKey: ["support", "thread", ticketId],
    queryFn: async ({ signal, client, queryKey }): Promise<Thread> => {
      const background = client.getQueryData(queryKey) !== undefined;
      const page = await api("GET /support/messages", { query: pageOf(ticketId), signal, background });
      return merged(client.getQueryData<Thread>(queryKey), page);
    },
    staleTime: 0,
    refetchInterval: OPEN_REFRESH_MS,
  });

export const pageOf = (ticketId: TicketId, cursor?: number) => ({
  limit: PAGE_SIZE,
  ...(ticketId === null ? {} : { ticketId }),
  ...(cursor === undefined ? {} : { cursor }),
});

export const ticketsQuery = queryOptions({
  queryKey: ["support", "tickets"],
  queryFn: ({ signal, client, queryKey }) =>
    api("GET /support/tickets", {
      query: { limit: 200 },
      signal,
      background: client.getQueryData(queryKey) !== undefined,
    }),
  staleTime: 0,
  refetchInterval: OPEN_REFRESH_MS,
});
