import type { Api } from "@krug/contract/api";
import { queryOptions } from "@tanstack/react-query";
import { api } from "../../../lib/api.ts";

export type Ticket = Api["GET /support/tickets"]["answer"][number];

/** If the live stream is blocked, the timers fetch. */
const OPEN_REFRESH_MS = 20_000;
const COUNT_REFRESH_MS = 120_000;

export const unreadQuery = queryOptions({
  queryKey: ["support", "unread"],
  queryFn: ({ signal, client, queryKey }) =>
    api("GET /support/unread", { signal, background: client.getQueryData(queryKey) !== undefined }),
  refetchInterval: COUNT_REFRESH_MS,
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
