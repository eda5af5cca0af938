import type { Api } from "@krug/contract/api";
import { MINUTE_MS } from "@krug/domain/moment";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, apiPage } from "../../../lib/api.ts";
import { callsAt } from "../../../lib/base.ts";
import { polledQuery, query } from "../../../lib/query.ts";
import { asViewed, type StaffList, type StaffRole } from "../../club/staff/index.ts";
import { CLUB_PAYMENTS } from "./queries.ts";

export type Payment = Api["GET /admin/payments/history/{period}"]["answer"][number];
export type PaymentStatus = Payment["status"];
export type Settable = Exclude<PaymentStatus, "pending">;
export type MonthView = Pick<
  Api["GET /admin/payments/history/{period}"]["query"],
  "q" | "status" | "sort" | "order" | "cursor"
>;
export type MonthSummary = Api["GET /admin/payments/summary/{period}"]["answer"];
export type RevenueMonth = Api["GET /admin/payments/revenue"]["answer"][number];
export type MemberPayments = Api["GET /admin/payments/members/{id}"]["answer"];
export type Claim = Api["GET /admin/payments/claims"]["answer"][number];
export type PaymentSettings = Api["GET /admin/payments/settings"]["answer"];

export const monthList = (period: string): StaffList<MonthView, Payment> => ({
  key: [...CLUB_PAYMENTS, "month", period],
  read: (view, role, limit, signal) =>
    apiPage("GET /admin/payments/history/{period}", {
      params: { period },
      query: { ...view, ...asViewed(role), limit },
      ...(signal ? { signal } : {}),
    }),
});

export const summaryQuery = (period: string, role: StaffRole) =>
  polledQuery([...CLUB_PAYMENTS, "summary", period, role], "GET /admin/payments/summary/{period}", {
    params: { period },
    query: asViewed(role),
    // The month may end while a page is open.
    refetchInterval: MINUTE_MS,
  });

export const revenueQuery = (role: StaffRole) =>
  query([...CLUB_PAYMENTS, "revenue", role], "GET /admin/payments/revenue", { query: asViewed(role) });

/** `period`: another month than the current one. */
export const paymentsOfQuery = (id: string, role: StaffRole, period?: string) =>
  queryOptions({
    queryKey: [...CLUB_PAYMENTS, "member", id, role, period ?? null],
    queryFn: ({ signal }) =>
      api("GET /admin/payments/members/{id}", {
        params: { id },
        query: { ...asViewed(role), ...(period === undefined ? {} : { period }) },
        signal,
      }),
  });

export type QueueView = Pick<Api["GET /admin/payments/claims"]["query"], "q" | "sort" | "cursor" | "limit">;

/** Members who report a payment. */
export const queueQuery = (view: QueueView, role: StaffRole) =>
  queryOptions({
    queryKey: [...CLUB_PAYMENTS, "queue", view, role],
    queryFn: ({ signal, client, queryKey }) =>
      apiPage("GET /admin/payments/claims", {
        query: { ...view, ...asViewed(role) },
        signal,
        background: client.getQueryData(queryKey) !== undefined,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: MINUTE_MS,
  });

export const settingsQuery = query([...CLUB_PAYMENTS, "settings"], "GET /admin/payments/settings");

/** Another receipt has another address, so that the browser does not show the previous one. */
export const receiptAddress = (claimId: string, receipt: string) =>
  `${callsAt}/admin/payments/claims/${claimId}/receipt?of=${receipt}`;
