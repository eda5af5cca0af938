import type { Api } from "@krug/contract/api";
import { polledQuery } from "../../../lib/query.ts";

export type OwnPayments = Api["GET /payments/own"]["answer"];
export type OwnPayment = OwnPayments["current"];

/** Key of all staff views of members' payments: refetched when any of them changed. */
export const CLUB_PAYMENTS = ["club-payments"] as const;

/** The member's price and how to pay it, the current month, claims, and records. */
export const ownPaymentsQuery = polledQuery(["own-payments"], "GET /payments/own");
