import type { Api } from "@krug/contract/api";
import { MINUTE_MS } from "@krug/domain/moment";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "../../../lib/api.ts";
import { asViewed, type StaffRole } from "../../club/staff/index.ts";

export type Now = Api["GET /admin/statistics/now"]["answer"];
export type Traffic = Api["GET /admin/statistics/traffic"]["answer"];
export type Breakdown = Api["GET /admin/statistics/breakdown"]["answer"];

export const SPANS = ["day", "month", "year"] as const;
/** One of the usual spans, or days of the club's calendar, both inclusive. */
export type View = { span: (typeof SPANS)[number] } | { from: string; to: string };

/** Counters are read from the servers once a minute. */
const REFRESH_MS = MINUTE_MS;
const ONLINE_SHOWN = 6;
const MOST_IN_FILE = 1000;

type Asking = {
  signal: AbortSignal;
  client: { getQueryData: (key: readonly unknown[]) => unknown };
  queryKey: readonly unknown[];
};
/** After the first request a timer asks, not a person. */
const manner = ({ signal, client, queryKey }: Asking) => ({
  signal,
  background: client.getQueryData(queryKey) !== undefined,
});

export const nowQuery = (role: StaffRole) =>
  queryOptions({
    queryKey: ["statistics", "now", role],
    queryFn: (asking) => api("GET /admin/statistics/now", { query: asViewed(role), ...manner(asking) }),
    refetchInterval: REFRESH_MS,
  });

/** `member`: the id of a member, to count only their devices. */
export const trafficQuery = (view: View, role: StaffRole, member?: string) =>
  queryOptions({
    queryKey: ["statistics", "traffic", view, role, member],
    queryFn: (asking) =>
      api("GET /admin/statistics/traffic", {
        query: { ...view, ...asViewed(role), ...(member === undefined ? {} : { member }) },
        ...manner(asking),
      }),
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  });

export const breakdownQuery = (view: View, role: StaffRole) =>
  queryOptions({
    queryKey: ["statistics", "breakdown", view, role],
    queryFn: (asking) =>
      api("GET /admin/statistics/breakdown", { query: { ...view, ...asViewed(role) }, ...manner(asking) }),
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  });

/** All members who used a span, up to the list's limit: for a file. */
export const wholeBreakdown = (view: View, role: StaffRole) =>
  api("GET /admin/statistics/breakdown", { query: { ...view, ...asViewed(role), limit: MOST_IN_FILE } });

/** The connected devices, last seen first. */
export const onlineQuery = (role: StaffRole) =>
  queryOptions({
    queryKey: ["statistics", "online", role],
    queryFn: (asking) =>
      api("GET /vpn/configs", {
        query: {
          scope: "all",
          filter: "online",
          sort: "lastHandshake",
          order: "desc",
          limit: ONLINE_SHOWN,
          ...asViewed(role),
        },
        ...manner(asking),
      }),
    refetchInterval: REFRESH_MS,
  });
