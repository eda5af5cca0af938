import { screen } from "@testing-library/react";
import type { Claim, MemberPayments, MonthSummary, Payment } from "../features/money/payments/staff-queries.ts";
import type { Heard, Panel } from "./panel.ts";
import { inDays, uuid } from "./samples.ts";
import { admin, enter } from "./staff.ts";

const now = new Date();
export const CURRENT = `${now.getFullYear()}-${String(now.getMonth() + 1).padStart(2, "0")}`;
export const END = inDays(12);
export const LATER = inDays(43);

/** A member's month. A test passes only the fields that it is about. */
export function payment(n: number, about: Partial<Payment> = {}): Payment {
  return {
    id: null,
    userId: uuid(500 + n),
    user_id: uuid(500 + n),
    username: `member_${n}`,
    displayName: `Участник ${n}`,
    isUnlimited: false,
    free: null,
    amount: "300",
    currency: "RUB",
    status: "pending",
    paidDate: null,
    paid_date: null,
    dueDate: `${CURRENT}-28`,
    due_date: `${CURRENT}-28`,
    period: CURRENT,
    note: null,
    grantedUntil: null,
    paidMonths: 1,
    subscriptionEnd: END,
    claimId: null,
    ...about,
  };
}

export const anna = payment(1, { username: "anna", displayName: "Анна" });
export const boris = payment(2, { username: "boris", displayName: "Борис", status: "paid", paidDate: inDays(-3) });

export const summary = (about: Partial<MonthSummary> = {}): MonthSummary => ({
  period: CURRENT,
  currentPeriod: CURRENT,
  lastPeriod: CURRENT,
  counts: { all: 20, pending: 9, paid: 7, overdue: 2, not_required: 1, unlimited: 1 },
  received: [{ amount: "2100", currency: "RUB" }],
  receivedFromDeleted: [],
  ...about,
});

export const claim = (about: Partial<Claim> = {}): Claim => ({
  id: uuid(700),
  userId: anna.userId,
  username: "anna",
  displayName: "Анна",
  claimedAt: inDays(-0.01),
  receipt: uuid(701),
  period: CURRENT,
  months: 1,
  status: "pending",
  amount: "300",
  currency: "RUB",
  isUnlimited: false,
  subscriptionEnd: END,
  grantsUntil: LATER,
  ...about,
});

export const grant = { kind: "grant" as const, from: END, until: LATER, months: 1 };

export const ofAnna = (about: Partial<MemberPayments> = {}): MemberPayments => ({
  current: anna,
  choices: [
    { status: "paid", refusal: null, effect: grant },
    { status: "overdue", refusal: null, effect: null },
    { status: "not_required", refusal: null, effect: grant },
  ],
  lengths: [{ months: 1, amount: "300", currency: "RUB", until: LATER }],
  history: [],
  claims: [],
  ...about,
});

export const openPayments = async (says: Panel = {}, address = "/admin/payments", me = admin) => {
  const page = await enter(
    address,
    {
      "GET /admin/payments/history/{period}": [anna, boris],
      "GET /admin/payments/summary/{period}": summary(),
      "GET /admin/payments/claims": [],
      "GET /admin/payments/members/{id}": ofAnna(),
      ...says,
    },
    me,
  );
  await screen.findByRole("heading", { level: 1, name: "Платежи" });
  const last = (key: Parameters<typeof page.asked>[0]): Heard | undefined => page.asked(key).at(-1);
  return { ...page, last };
};

export const plain = (text: string | null | undefined) => text?.replace(/\s/g, " ");
