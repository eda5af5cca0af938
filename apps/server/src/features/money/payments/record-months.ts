import { randomUUID } from "node:crypto";
import { dueDay, isSettled, type PaymentStatus } from "@krug/domain/payment-rules";
import { monthsAfter } from "@krug/domain/period";
import { type PaymentLength, sharesOf } from "@krug/domain/prepaid-months";
import type { Tx } from "../../../platform/database/database.ts";
import { refuse } from "../../../platform/refusal.ts";
import type { ClubSettings } from "../../club/settings/index.ts";
import type { MemberRow } from "../../members/members/index.ts";
import type { PaymentParts } from "./parts.ts";
import { sumOf } from "./prices.ts";
import * as repository from "./repository.ts";
import { NO_GRANT, type SubscriptionEffect } from "./subscription-effect.ts";
import type { ClaimRow, PaymentRow } from "./table.ts";

/** A decision on a member's month, and on the others of its payment. */
export interface Decision {
  member: MemberRow;
  /** The records of the month's payment, by month. */
  before: readonly PaymentRow[];
  status: PaymentStatus;
  period: string;
  currentPeriod: string;
  /** The months begin after those that are settled. */
  isAhead: boolean;
  /** How many months are paid with this one; 1 unless it becomes paid. */
  months: PaymentLength;
  note: string | null;
  claim: ClaimRow | undefined;
  effect: SubscriptionEffect | null;
}

export interface Recorded {
  rows: PaymentRow[];
  known: ReadonlyMap<string, PaymentRow>;
}

/** Writes the records of all months that a decision is about. Returns them by month, and what there was before. */
export function makeRecordMonths({ clock, clubTime, settings, members }: PaymentParts) {
  return async (tx: Tx, decision: Decision): Promise<Recorded> => {
    const { member, before, status, period, currentPeriod, isAhead, months, note, claim, effect } = decision;
    const club = await settings.read(tx);
    const now = clock.now().getTime();
    const later = await repository.since(tx, member.id, currentPeriod);
    const known = new Map([...before, ...later].map((row) => [row.period, row]));
    const isKept = (row: PaymentRow | undefined) => row?.status === status;
    const becomesPaid = isAhead || (status === "paid" && !isKept(known.get(period)));
    const periods = becomesPaid
      ? unsettled(period, months, known)
      : before.length > 1
        ? before.map((row) => row.period).filter((each) => each <= currentPeriod)
        : [period];
    // The months to come of a payment that is taken back are pending again.
    const gone = becomesPaid ? [] : before.filter((row) => row.period > currentPeriod);
    const sum = becomesPaid
      ? sumToRecord(club, months, claim)
      : { amount: club.paymentPrice, currency: club.paymentCurrency };
    const shares = becomesPaid && sum.amount !== null ? sharesOf(sum.amount, months) : null;
    const prepayment = becomesPaid && months > 1 ? randomUUID() : null;

    const rows = periods.map((each, place): PaymentRow => {
      const row = known.get(each);
      // A note on a paid month does not change what was paid.
      const paid = isKept(row)
        ? {}
        : {
            amount: shares?.[place] ?? sum.amount,
            currency: sum.currency,
            prepayment_id: prepayment,
            prepayment_months: prepayment === null ? null : months,
          };
      return {
        ...NO_GRANT,
        id: randomUUID(),
        member_id: member.id,
        period: each,
        due_day: dueDay(each, member.subscription_end, clubTime),
        created_at: now,
        amount: null,
        currency: sum.currency,
        prepayment_id: null,
        prepayment_months: null,
        note: null,
        ...row,
        ...(effect?.kind === "take back" ? NO_GRANT : effect?.grants[place]),
        ...paid,
        status,
        paid_at: status !== "paid" ? null : row?.status === "paid" ? row.paid_at : now,
        ...(each === (isAhead ? periods[0] : period) ? { note } : {}),
        changed_at: now,
      };
    });
    await repository.remove(
      tx,
      gone.map(({ id }) => id),
    );
    await repository.write(tx, rows);
    const left = new Map(known);
    for (const row of gone) left.delete(row.period);
    for (const row of rows) left.set(row.period, row);
    const last = lastRecorded(currentPeriod, left);
    if (status !== "pending" && last !== member.settled_period) await members.setSettledPeriod(tx, member.id, last);
    return { rows, known };
  };
}

/** Until when every month from this one on has a decision. After a payment taken back, later months may still be paid. */
function lastRecorded(period: string, known: ReadonlyMap<string, PaymentRow>): string {
  let last = monthsAfter(period, -1);
  while ((known.get(monthsAfter(last, 1))?.status ?? "pending") !== "pending") last = monthsAfter(last, 1);
  return last;
}

/** The first months from this one on that are not settled yet. */
function unsettled(period: string, months: number, known: ReadonlyMap<string, PaymentRow>): string[] {
  const found: string[] = [];
  for (let ahead = 0; found.length < months; ahead++) {
    const each = monthsAfter(period, ahead);
    if (!isSettled(known.get(each)?.status ?? "pending")) found.push(each);
  }
  return found;
}

/** @throws Refusal if nobody knows what so many months cost */
function sumToRecord(club: ClubSettings, months: PaymentLength, claim: ClaimRow | undefined) {
  const sum = sumOf(club, months, claim);
  return sum.amount === null && months > 1 ? refuse("payment.length_not_offered") : sum;
}
