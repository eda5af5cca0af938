import { eventType } from "../../../platform/events.ts";

/** A month was recorded as paid; `until`: how long it gives access, ms; null: no end. */
export const paymentRecorded = eventType<{ memberId: string; period: string; until: number | null }>(
  "payment.recorded",
);

/** A month that was paid, or needed no payment, is overdue after all; `until`: the subscription's end now, ms, null if it is over. */
export const paymentTakenBack = eventType<{ memberId: string; period: string; until: number | null }>(
  "payment.taken_back",
);

/** A member says to have paid. */
export const paymentClaimed = eventType<{ memberId: string; period: string }>("payment.claimed");

/** A month was marked as overdue. */
export const paymentOverdue = eventType<{ memberId: string; period: string }>("payment.overdue");

/** Something changed in what a member has paid, claimed or been told about it. */
export const paymentChanged = eventType<{ memberId: string }>("payment.changed");
