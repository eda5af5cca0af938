import type { PaymentLength } from "@krug/domain/prepaid-months";
import { eventType } from "../../../platform/events.ts";
import type { Undoing } from "../../members/members/index.ts";

/** Of a notice: a single month is not counted. */
export const ifSeveral = (months: number) => (months > 1 ? { months } : {});

export interface MonthsDecided {
  memberId: string;
  /** The first month, YYYY-MM, and how many from it on. */
  period: string;
  months: number;
  /** When the subscription ends now, ms. */
  until: number | null;
  undoing?: Undoing;
}

/** Months were recorded as paid; `until` null: the access they give never ends. */
export const paymentRecorded = eventType<MonthsDecided>("payment.recorded");

/** Months that were paid, or needed no payment, are not after all; `until` null: the subscription has ended. */
export const paymentTakenBack = eventType<MonthsDecided>("payment.taken_back");

/** A member claims to have paid, for so many months from this one on. */
export const paymentClaimed = eventType<{
  memberId: string;
  period: string;
  months: PaymentLength;
  claimId: string;
  hasReceipt: boolean;
}>("payment.claimed");

export interface ClaimChange {
  memberId: string;
  claimId: string;
  isWaiting: boolean;
  /** It had been decided at that time, ms. */
  reopened?: { decidedAt: number };
}

/** A claim no longer waits, waits again, or a receipt was added to it. */
export const claimChanged = eventType<ClaimChange>("payment.claim_changed");

/** A month was marked as overdue. */
export const paymentOverdue = eventType<{ memberId: string; period: string }>("payment.overdue");

/** A member's payments, claims or decisions on them have changed. */
export const paymentChanged = eventType<{ memberId: string }>("payment.changed");
