import type { Api } from "@krug/contract/api";
import type { RuleType } from "@krug/domain/access-rules";
import { MINUTE_MS } from "@krug/domain/moment";
import { infiniteQueryOptions, keepPreviousData } from "@tanstack/react-query";
import { apiPage } from "../../../lib/api.ts";
import { polledQuery } from "../../../lib/query.ts";
import { asViewed, type StaffRole } from "../../club/staff/index.ts";
import { RULES } from "./key.ts";

export type Rule = Api["GET /admin/rules"]["answer"][number];
export type Checked = Api["GET /admin/rules/check"]["answer"];

const PAGE_SIZE = 50;

export const rulesQuery = (type: RuleType, q: string, role: StaffRole) =>
  infiniteQueryOptions({
    queryKey: [...RULES, "list", type, q, role],
    queryFn: ({ signal, pageParam }) =>
      apiPage("GET /admin/rules", {
        query: {
          type,
          limit: PAGE_SIZE,
          ...(q ? { q } : {}),
          ...(pageParam ? { cursor: pageParam } : {}),
          ...asViewed(role),
        },
        signal,
      }),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
  });

export const membersOfQuery = (id: string, q: string, role: StaffRole) =>
  infiniteQueryOptions({
    queryKey: [...RULES, "members", id, q, role],
    queryFn: ({ signal, pageParam }) =>
      apiPage("GET /admin/rules/{id}/members", {
        params: { id },
        query: {
          limit: PAGE_SIZE,
          ...(q ? { q } : {}),
          ...(pageParam ? { cursor: pageParam } : {}),
          ...asViewed(role),
        },
        signal,
      }),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
  });

/** A waiting server is checked more often than one that has the rules. A live stream reports sooner. */
const WAITING_MS = 3_000;

export const serversQuery = (role: StaffRole) =>
  polledQuery([...RULES, "servers", role], "GET /admin/rules/servers", {
    query: asViewed(role),
    refetchInterval: ({ state }) => (state.data?.some((server) => server.state === "pending") ? WAITING_MS : MINUTE_MS),
  });
