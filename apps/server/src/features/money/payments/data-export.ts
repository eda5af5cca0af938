import { isoOf } from "@krug/domain/moment";
import { decimalOf } from "@krug/domain/money";
import { makeLedger } from "./ledger.ts";
import type { PaymentParts } from "./parts.ts";
import * as repository from "./repository.ts";

/** A list has at most this many rows (decisions, section 13). */
const MOST_ROWS = 1_000;

/** A member's months and claims for their data export; receipts are mentioned, staff's notes are left out. */
export function makeOwnPayments(parts: PaymentParts) {
  const { db } = parts;
  const ledger = makeLedger(parts);
  return async (memberId: string) => {
    const months = await repository.newest(db, memberId, MOST_ROWS);
    const claims = await repository.newestClaims(db, memberId, MOST_ROWS);
    return {
      months: months.map((row) => ({
        period: row.period,
        status: row.status,
        amount: row.amount === null ? null : decimalOf(row.amount),
        currency: row.currency,
        dueDate: row.due_day,
        paidAt: isoOf(row.paid_at),
        grantedUntil: isoOf(row.granted_until),
        paidMonths: row.prepayment_months ?? 1,
      })),
      ledger: (await ledger.own(memberId, { limit: MOST_ROWS })).rows,
      fromProviders: (await repository.receivedOf(db, memberId, MOST_ROWS)).map((row) => ({
        id: row.id,
        period: row.period,
        months: row.months,
        amount: decimalOf(row.amount),
        currency: row.currency,
        receivedAt: isoOf(row.received_at),
      })),
      claims: claims.map((claim) => ({
        state: claim.state,
        claimedAt: isoOf(claim.claimed_at),
        decidedAt: isoOf(claim.decided_at),
        reason: claim.reason,
        months: claim.months,
        withReceipt: claim.receipt_id !== null,
      })),
    };
  };
}
