import { eventType } from "../../../platform/events.ts";

/** A month was recorded as paid; `until`: when the access it gives ends, ms; null: never. */
export const paymentRecorded = eventType<{ memberId: string; period: string; until: number | null }>(
  "payment.recorded",
);

/**
 * A month that was paid, or needed no payment, is overdue after all; `until`: the subscription's end now, ms, null if it has
 * ended.
 */
export const paymentTakenBack = eventType<{ memberId: string; period: string; until: number | null }>(
  "payment.taken_back",
);

/** A member claims to have paid. */
export const paymentClaimed = eventType<{ memberId: string; period: string; claimId: string; hasReceipt: boolean }>(
  "payment.claimed",
);

/** A claim no longer waits, or a receipt was added to it. */
export const claimChanged = eventType<{ memberId: string; claimId: string; isWaiting: boolean }>(
  "payment.claim_changed",
);

/** A month was marked as overdue. */
export const paymentOverdue = eventType<{ memberId: string; period: string }>("payment.overdue");

/** A member's payments, claims or decisions on them have changed. */
export const paymentChanged = eventType<{ memberId: string }>("payment.changed");
