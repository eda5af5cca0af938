import type { Api } from "@krug/contract/api";
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, apiPage } from "../../../lib/api.ts";
import { polledQuery, query } from "../../../lib/query.ts";
import { asViewed, type StaffRole } from "../../club/staff/index.ts";

export type Conversation = Api["GET /admin/support/conversations"]["answer"][number];
export type StaffTicket = Api["GET /admin/support/tickets"]["answer"][number];
export type Colleague = Api["GET /admin/support/colleagues"]["answer"][number];
export type TicketChange = Api["PUT /admin/support/tickets/{id}"]["body"];
type Without<Query> = Omit<NonNullable<Query>, "limit" | "cursor" | "as">;
export type ConversationView = Without<Api["GET /admin/support/conversations"]["query"]>;
export type TicketView = Without<Api["GET /admin/support/tickets"]["query"]>;

/** All staff support queries: lists, threads, what waits. */
export const DESK = ["staff-support"] as const;
export const THREADS = [...DESK, "thread"] as const;

const PAGE_SIZE = 30;
/** If the live stream is blocked, the timers fetch. */
const REFRESH_MS = 30_000;

export const waitingQuery = (role: StaffRole) =>
  polledQuery([...DESK, "waiting", role], "GET /admin/support/waiting", {
    query: asViewed(role),
    refetchInterval: REFRESH_MS,
  });

const paged = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }: { next: string | null }) => next ?? undefined,
  // Earlier results stay until the next ones have loaded.
  placeholderData: keepPreviousData,
  staleTime: 0,
  refetchInterval: REFRESH_MS,
};
const pageOf = (cursor: string | undefined) => ({ limit: PAGE_SIZE, ...(cursor === undefined ? {} : { cursor }) });

export const conversationsQuery = (view: ConversationView, role: StaffRole) =>
  infiniteQueryOptions({
    ...paged,
    queryKey: [...DESK, "conversations", view, role],
    queryFn: ({ signal, client, queryKey, pageParam }) =>
      apiPage("GET /admin/support/conversations", {
        query: { ...view, ...asViewed(role), ...pageOf(pageParam) },
        signal,
        background: client.getQueryData(queryKey) !== undefined,
      }),
  });

export const ticketsQuery = (view: TicketView, role: StaffRole) =>
  infiniteQueryOptions({
    ...paged,
    queryKey: [...DESK, "tickets", view, role],
    queryFn: ({ signal, client, queryKey, pageParam }) =>
      apiPage("GET /admin/support/tickets", {
        query: { ...view, ...asViewed(role), ...pageOf(pageParam) },
        signal,
        background: client.getQueryData(queryKey) !== undefined,
      }),
  });

/** One member's conversation, as in the lists; null if nothing was ever written. */
export const conversationOfQuery = (userId: string) =>
  queryOptions({
    queryKey: [...DESK, "conversation-of", userId],
    queryFn: async ({ signal, client, queryKey }) =>
      (
        await api("GET /admin/support/conversations", {
          query: { userId, limit: 1 },
          signal,
          background: client.getQueryData(queryKey) !== undefined,
        })
      )[0] ?? null,
    staleTime: 0,
    refetchInterval: REFRESH_MS,
  });

/** One member's tickets, newest first. */
export const ticketsOfQuery = (userId: string) =>
  polledQuery([...DESK, "tickets-of", userId], "GET /admin/support/tickets", {
    query: { userId, limit: 200 },
    staleTime: 0,
    refetchInterval: REFRESH_MS,
  });

export const colleaguesQuery = query([...DESK, "colleagues"], "GET /admin/support/colleagues", {
  staleTime: 5 * 60_000,
});
