import { RECEIPTS_KEPT_MS } from "@krug/domain/payment-rules";
import { memberDeleted } from "../members/index.ts";
import { makeOwnPayments } from "./own-data.ts";
import type { PaymentParts } from "./parts.ts";
import * as repository from "./repository.ts";

export { paymentChanged, paymentRecorded, paymentTakenBack } from "./events.ts";

/** What members pay for a month, what they say of it, and what staff decide (decisions, section 5). */
export function makePayments(parts: PaymentParts) {
  const { transact, clock, events } = parts;
  // His months stay with the nameless tombstone (decisions, section 2).
  events.on(memberDeleted, (tx, { memberId }) => repository.forgetWords(tx, memberId));
  return {
    ownData: { payments: makeOwnPayments(parts) },
    /** Forgets receipts that were decided on long ago; once an hour is often enough. */
    forgetOld: (): Promise<void> =>
      transact((tx) => repository.deleteReceiptsDecidedBefore(tx, clock.now().getTime() - RECEIPTS_KEPT_MS)),
  };
}
