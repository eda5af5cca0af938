import type { Api } from "@krug/contract/api";
import { polledQuery } from "../../../lib/query.ts";

export type Ticket = Api["GET /support/tickets"]["answer"][number];

/** If the live stream is blocked, the timers fetch. */
const OPEN_REFRESH_MS = 20_000;
const COUNT_REFRESH_MS = 120_000;

export const unreadQuery = polledQuery(["support", "unread"], "GET /support/unread", {
  refetchInterval: COUNT_REFRESH_MS,
});

export const ticketsQuery = polledQuery(["support", "tickets"], "GET /support/tickets", {
  query: { limit: 200 },
  staleTime: 0,
  refetchInterval: OPEN_REFRESH_MS,
});
