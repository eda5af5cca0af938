import { type ClubCalendar, type Grant, grantedMonth } from "./payment-rules.ts";

/** How many months one payment may be for (decisions, section 5). */
export const PAYMENT_LENGTHS = [1, 3, 6, 12] as const;
export type PaymentLength = (typeof PAYMENT_LENGTHS)[number];

/** Each month's part of a sum in hundredths. They differ by a hundredth at most, the first are larger, and add up exactly. */
export function sharesOf(sum: number, months: number): number[] {
  const least = Math.floor(sum / months);
  const more = sum - least * months;
  return Array.from({ length: months }, (_, place) => least + (place < more ? 1 : 0));
}

/** What a payment grants, month by month: each begins where the one before ends and keeps the anchor day. */
export function grantedMonths(
  months: number,
  standing: { now: number; subscriptionEnd: number | null; anchorDay: number | null },
  calendar: ClubCalendar,
): Grant[] {
  const grants: Grant[] = [];
  for (let { subscriptionEnd, anchorDay } = standing; grants.length < months; ) {
    const grant = grantedMonth({ now: standing.now, subscriptionEnd, anchorDay }, calendar);
    grants.push(grant);
    ({ until: subscriptionEnd, anchorDay } = grant);
  }
  return grants;
}
