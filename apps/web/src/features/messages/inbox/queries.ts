import type { Api } from "@krug/contract/api";
import { MINUTE_MS } from "@krug/domain/moment";
import { infiniteQueryOptions } from "@tanstack/react-query";
import { apiPage } from "../../../lib/api.ts";
import { polledQuery } from "../../../lib/query.ts";

export type Notice = Api["GET /inbox"]["answer"][number];

const PAGE_SIZE = 20;
/** If the live stream is blocked, the timer fetches. */
const COUNT_REFRESH_MS = 5 * MINUTE_MS;

/** All inbox queries: the count, and the open notices. */
export const INBOX = ["inbox"] as const;

export const unreadQuery = polledQuery([...INBOX, "unread"], "GET /inbox/unread", {
  refetchInterval: COUNT_REFRESH_MS,
});

/** Newest first, page by page. */
export const noticesQuery = infiniteQueryOptions({
  queryKey: [...INBOX, "list"],
  queryFn: ({ signal, pageParam }) =>
    apiPage("GET /inbox", {
      query: { limit: PAGE_SIZE, ...(pageParam === null ? {} : { cursor: pageParam }) },
      signal,
    }),
  initialPageParam: null as string | null,
  getNextPageParam: ({ next }) => next,
  staleTime: 0,
});
