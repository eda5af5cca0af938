import { clubDay, writtenShortDay } from "../../../lib/format.ts";
import type { RingState } from "../../../ui/ring.tsx";
import { Standing } from "../../../ui/standing.tsx";
import type { Payment, PaymentStatus } from "./staff-queries.ts";
import { type StaffPaymentsWords, useStaffPaymentsWords } from "./staff-words.ts";

const RINGS: Record<PaymentStatus, RingState> = {
  pending: "never",
  paid: "done",
  overdue: "bad",
  not_required: "idle",
};

type Shown = Pick<Payment, "status" | "isUnlimited" | "claimId">;

/** Who has to act: after 'I have paid' it is staff. */
export const ringOf = ({ status, claimId }: Shown): RingState =>
  claimId !== null && status !== "paid" && status !== "not_required" ? "warn" : RINGS[status];

/** A month's status, in a word. */
export const statusText = ({ status, isUnlimited }: Shown, { filter }: StaffPaymentsWords): string =>
  status === "pending" && isUnlimited ? filter.unlimited : filter[status];

/** The same with its ring. */
export function StatusWords({ payment, ring = false }: { payment: Shown; ring?: boolean }) {
  const words = useStaffPaymentsWords();
  const sign = ringOf(payment);
  return (
    <Standing state={sign} ring={ring} note={sign === "warn" && words.list.claimed}>
      {statusText(payment, words)}
    </Standing>
  );
}

/** The specification's words for a subscription (decisions, section 1). */
export function subscriptionWords(
  { isUnlimited, subscriptionEnd, free }: Pick<Payment, "isUnlimited" | "subscriptionEnd" | "free">,
  { subscriptions: words }: StaffPaymentsWords,
  nowMs: number,
): string {
  if (isUnlimited) return words.unlimited;
  if (subscriptionEnd !== null && Date.parse(subscriptionEnd) > nowMs)
    return words.until(writtenShortDay(clubDay(subscriptionEnd)));
  if (free === "referral") return words.referral;
  return subscriptionEnd === null ? words.none : words.expired;
}

/** Whether a month's sum means anything: a member with free use owes none. */
export const hasSum = ({ status, free }: Payment) => status === "paid" || (status !== "not_required" && free === null);
