import type { OwnPaymentsAnswer, PaymentAnswer } from "@krug/contract/money/payments";
import { decimalOf } from "@krug/domain/money";
import { DECLINED_SHOWN_MS, dueDay, freeOfCharge } from "@krug/domain/payment-rules";
import type { ClubTime } from "../../../platform/club-time.ts";
import type { ClubSettings } from "../../club/settings/index.ts";
import { type MemberRow, standingOf } from "../../members/members/index.ts";
import type { ClaimRow, PaymentRow } from "./table.ts";

/** A member's month as they and staff see it; without a record, a pending month. */
export function paymentOf(
  member: MemberRow,
  period: string,
  row: PaymentRow | undefined,
  club: ClubSettings,
  calendar: ClubTime,
): OwnPaymentsAnswer["current"] {
  const amount = row === undefined ? club.paymentPrice : row.amount;
  return {
    period,
    status: row?.status ?? "pending",
    amount: amount === null ? null : decimalOf(amount),
    currency: row?.currency ?? club.paymentCurrency,
    paidDate: calendar.write(row?.paid_at ?? null),
    dueDate: row?.due_day ?? dueDay(period, member.subscription_end, calendar),
    grantedUntil: calendar.write(row?.granted_until),
    paidMonths: row?.prepayment_months ?? 1,
  };
}

/** The same with everything staff see, and the specification's twin spellings. `now`: ms since 1970. */
export function staffPaymentOf(
  member: MemberRow,
  row: PaymentRow | undefined,
  claim: ClaimRow | undefined,
  { period, club, calendar, now }: { period: string; club: ClubSettings; calendar: ClubTime; now: number },
): PaymentAnswer {
  const shown = paymentOf(member, period, row, club, calendar);
  return {
    ...shown,
    id: row?.id ?? null,
    userId: member.id,
    user_id: member.id,
    username: member.username,
    displayName: member.display_name,
    isUnlimited: member.is_unlimited === 1,
    free: freeOfCharge(standingOf(member, club), now),
    paid_date: shown.paidDate,
    due_date: shown.dueDate,
    note: row?.note ?? null,
    subscriptionEnd: calendar.write(member.subscription_end),
    claimId: claim?.id ?? null,
  };
}

/** Whether to show the claim to its member: it waits, or was declined recently. */
export function isShown(claim: ClaimRow, now: number): boolean {
  if (claim.state === "waiting") return true;
  return claim.state === "declined" && (claim.decided_at ?? 0) > now - DECLINED_SHOWN_MS;
}
