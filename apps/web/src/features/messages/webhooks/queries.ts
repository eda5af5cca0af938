import type { Api } from "@krug/contract/api";
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, apiPage } from "../../../lib/api.ts";
import { query } from "../../../lib/query.ts";

export type Webhook = Api["GET /admin/webhooks"]["answer"][number];
export type Delivery = Api["GET /admin/webhooks/{id}/deliveries"]["answer"][number];
export type Show = "all" | "waiting" | "failed";

export const WEBHOOKS = ["webhooks"] as const;
const PAGE_SIZE = 50;
/** People open the log to watch pending deliveries, which arrive by themselves. */
const LOG_AGE_MS = 5_000;

export const webhooksQuery = query([...WEBHOOKS, "list"], "GET /admin/webhooks", { staleTime: 0 });

export const deliveriesQuery = (id: string, show: Show) =>
  infiniteQueryOptions({
    queryKey: [...WEBHOOKS, "deliveries", id, show],
    queryFn: ({ signal, pageParam }) =>
      apiPage("GET /admin/webhooks/{id}/deliveries", {
        params: { id },
        query: { limit: PAGE_SIZE, show, ...(pageParam ? { cursor: pageParam } : {}) },
        signal,
      }),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: LOG_AGE_MS,
    staleTime: 0,
  });

/** A sent body never changes. */
export const bodyQuery = (id: string, deliveryId: string) =>
  queryOptions({
    queryKey: [...WEBHOOKS, "body", id, deliveryId],
    queryFn: ({ signal }) =>
      api("GET /admin/webhooks/{id}/deliveries/{deliveryId}", { params: { id, deliveryId }, signal }),
    select: ({ body }) => JSON.stringify(JSON.parse(body), null, 2),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** How an admin distinguishes it from the others. */
export const nameOf = ({ description, url }: Pick<Webhook, "description" | "url">) => description || new URL(url).host;
