import type { Api } from "@krug/contract/api";
import { queryOptions } from "@tanstack/react-query";
import { api } from "../../../lib/api.ts";

export type OwnPayments = Api["GET /payments/own"]["answer"];
export type OwnPayment = OwnPayments["current"];

/** Everything that shows staff what members pay: asked again when any of it changed. */
export const CLUB_PAYMENTS = ["club-payments"] as const;

/** What the member pays and how, the current month, claims, and records. */
export const ownPaymentsQuery = queryOptions({
  queryKey: ["own-payments"],
  queryFn: ({ signal, client, queryKey }) =>
    api("GET /payments/own", { signal, background: client.getQueryData(queryKey) !== undefined }),
});
