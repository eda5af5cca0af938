import { LEDGER_KINDS } from "@krug/domain/ledger";
import { PAYMENT_STATUSES } from "@krug/domain/payment-rules";
import { PAYMENT_LENGTHS } from "@krug/domain/prepaid-months";
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import {
  AsViewed,
  bodyWithPictures,
  ClubMoment,
  Flag,
  Id,
  line,
  Named,
  Page,
  SentPicture,
  TablePage,
  Time,
  twins,
} from "../fields.ts";
import { MemberPath } from "../members/members.ts";
import { Act, Undone, UndoWish } from "../undo.ts";
import { Amount, Currency, Sum, WrittenSum } from "./sums.ts";

const PaymentStatus = z.enum(PAYMENT_STATUSES);

/** YYYY-MM. */
export const Period = z.stringFormat("month", /^[1-9]\d{3}-(0[1-9]|1[0-2])$/);

/** How many months are paid at once. */
const Months = z.literal([...PAYMENT_LENGTHS]);

/** Why there is nothing to pay; null if there is. */
const Free = z.enum(["unlimited", "referral"]).nullable();

/** A member's month as the member sees it. */
const OwnPayment = z.object({
  period: Period,
  status: PaymentStatus,
  amount: Amount.nullable(),
  currency: Currency,
  paidDate: ClubMoment.nullable(),
  dueDate: z.iso.date(),
  /** Until when it extended the subscription; null if it did not, or that was taken back. */
  grantedUntil: ClubMoment.nullable(),
  /** How many months the same payment was for; `amount` is this month's share. */
  paidMonths: Months,
});

/** A member's claim to have paid. */
const OwnClaim = z.object({
  id: Id,
  state: z.enum(["waiting", "declined"]),
  months: Months,
  claimedAt: Time,
  decidedAt: Time.nullable(),
  /** What staff wrote when they declined it. */
  reason: z.string().nullable(),
  /** Identifies the current receipt, null without one: a new receipt gets a new name. */
  receipt: Id.nullable(),
});

const OwnPayments = z.object({
  /** What a month costs now; null if staff have set no price. */
  price: z.object({ amount: Amount, currency: Currency }).nullable(),
  /**
   * What several months cost when paid at once, and until when that would extend the subscription; empty if not offered. While the current
   * month is settled, they are the months after.
   */
  offers: z.array(z.object({ months: Months, amount: Amount, currency: Currency, extendsTo: ClubMoment.nullable() })),
  /** How to pay, in staff's words. */
  details: z.string().nullable(),
  free: Free,
  /** The current month. */
  current: OwnPayment,
  /** The claim that is waiting, or was declined recently. */
  claim: OwnClaim.nullable(),
  /** Whether 'I have paid' is available now. */
  canClaim: z.boolean(),
  /** Until when a payment confirmed now would extend the subscription; null if there is nothing to pay. */
  wouldExtendTo: ClubMoment.nullable(),
  /** Months with a record, newest first, at most 24. */
  history: z.array(OwnPayment),
});

/** A member's month as staff see it, with the specification's twin spellings. */
const Payment = z.object({
  /** null if nothing is recorded yet. */
  id: Id.nullable(),
  userId: Id,
  user_id: Id,
  username: z.string(),
  displayName: z.string(),
  isUnlimited: z.boolean(),
  free: Free,
  amount: Amount.nullable(),
  currency: Currency,
  status: PaymentStatus,
  paidDate: ClubMoment.nullable(),
  paid_date: ClubMoment.nullable(),
  dueDate: z.iso.date(),
  due_date: z.iso.date(),
  period: Period,
  note: z.string().nullable(),
  grantedUntil: ClubMoment.nullable(),
  /** How many months the same payment was for; `amount` is this month's share. */
  paidMonths: Months,
  subscriptionEnd: ClubMoment.nullable(),
  /** The member's waiting claim. */
  claimId: Id.nullable(),
});

const Claim = z.object({
  id: Id,
  userId: Id,
  username: z.string(),
  displayName: z.string(),
  claimedAt: Time,
  receipt: Id.nullable(),
  /** The first month a confirmation would apply to, and its status. */
  period: Period,
  /** How many months the member says to have paid for. */
  months: Months,
  status: PaymentStatus,
  /** What a confirmation would record as paid; null if staff have set no price. */
  amount: Amount.nullable(),
  currency: Currency,
  isUnlimited: z.boolean(),
  subscriptionEnd: ClubMoment.nullable(),
  /** Until when a confirmation now would extend the subscription; null if it would not. */
  grantsUntil: ClubMoment.nullable(),
});

/** How staff filter a month. `pending`: members with something to pay; `unlimited`: members with nothing recorded. */
export const PAYMENT_FILTERS = ["all", ...PAYMENT_STATUSES, "unlimited"] as const;

/** Totals of a month. */
const MonthSummary = z.object({
  period: Period,
  /** The current month by the club's clock: the only one whose status can be set. */
  currentPeriod: Period,
  /** The last month that somebody has paid ahead, or the current one. */
  lastPeriod: Period,
  /** Member counts, by filter. */
  counts: z.object(
    Object.fromEntries(PAYMENT_FILTERS.map((name) => [name, z.int().nonnegative()])) as Record<
      (typeof PAYMENT_FILTERS)[number],
      z.ZodInt
    >,
  ),
  /** What members marked as paid have paid for it, and others for extensions during it, by currency. */
  received: z.array(Sum),
  /** From members deleted since, not included in `received`; only admins see it. */
  receivedFromDeleted: z.array(Sum),
});

/** How many months of revenue are returned, including the current one. */
export const REVENUE_MONTHS = 24;

/** A month of the club's calendar as revenue. */
const RevenueMonth = z.object({
  period: Period,
  /** What was paid for this month, whenever it was paid, and for extensions during it; by currency, none if nobody paid. */
  received: z.array(Sum),
  /** What was paid in this month, for whichever months and extensions. */
  cameIn: z.array(Sum),
  /** Extensions without a sum during it, and members who need not pay for it. */
  gifts: z.int().nonnegative(),
  /** Who paid for a month for the first time, and who had paid for an earlier one. */
  newPayers: z.int().nonnegative(),
  repeatPayers: z.int().nonnegative(),
  /** Members whose paid time ended in the month, up to now. */
  ended: z.int().nonnegative(),
  /** Those among them who have paid for a later month. */
  paidAgain: z.int().nonnegative(),
});

/** What a status would do to the subscription if set now, or why it cannot be set. */
const StatusChoice = z.object({
  status: PaymentStatus,
  refusal: z.object({ code: z.string(), message: z.string() }).nullable(),
  /** null: the subscription stays as it is. */
  effect: z
    .object({
      kind: z.enum(["grant", "take back"]),
      from: ClubMoment.nullable(),
      until: ClubMoment.nullable(),
      /** How many months it grants or takes back. */
      months: z.int().positive(),
    })
    .nullable(),
});

/** All that staff see of one member's payments. */
const MemberPayments = z.object({
  /** The current month, or the one asked about. */
  current: Payment,
  choices: z.array(StatusChoice),
  /** What can be recorded as paid now, by how many months; `amount` null if staff have set no price. */
  lengths: z.array(
    z.object({ months: Months, amount: Amount.nullable(), currency: Currency, until: ClubMoment.nullable() }),
  ),
  /** Months with a record, newest first, at most 120. */
  history: z.array(Payment),
  /** The member's claims, newest first, at most 20. */
  claims: z.array(
    z.object({
      id: Id,
      state: z.enum(["waiting", "confirmed", "declined"]),
      months: Months,
      claimedAt: Time,
      decidedAt: Time.nullable(),
      reason: z.string().nullable(),
      receipt: Id.nullable(),
    }),
  ),
});

/** A step of a subscription's end, as its member sees it. */
const OwnLedgerEntry = z.object({
  /** From 1 on; each begins where the one before led. */
  number: z.int().positive(),
  at: Time,
  kind: z.enum(LEDGER_KINDS),
  /** An extension or a month without payment. */
  isGift: z.boolean(),
  endBefore: ClubMoment.nullable(),
  /** The newest one's is the subscription's end. */
  endAfter: ClubMoment.nullable(),
  /** Of a payment: its first month, and how many. */
  period: Period.nullable(),
  months: z.int().positive().nullable(),
  /** What was paid; negative: what does not count as paid any more. */
  amount: z
    .string()
    .regex(/^-?\d+(\.\d\d)?$/)
    .nullable(),
  currency: Currency.nullable(),
});
/** `by`: who caused it; null: the panel, or somebody who is deleted or not visible to the reader. */
const LedgerEntry = OwnLedgerEntry.extend({ by: Named.nullable() });

const LedgerPage = { limit: z.coerce.number().int().min(1).max(200).default(20), cursor: Page.cursor };

/** Staff's text: may hold line breaks but no other control characters. */
const text = (max: number) =>
  z
    .string()
    .transform((written) => written.replaceAll("\r\n", "\n").trim())
    .pipe(
      z
        .string()
        .max(max)
        .regex(/^[\P{Cc}\n]*$/u),
    );

const StatusWish = twins(
  z.strictObject({
    userId: Id,
    status: PaymentStatus,
    period: Period,
    /** With `paid`: how many months from this one were paid at once. If absent, as many as the member's waiting claim says, or 1. */
    months: Months.optional(),
    /**
     * With `paid`, several `months` and `expected.subscriptionEnd`, while this month is settled: the next months that are not. A waiting
     * claim for several months is confirmed so without it.
     */
    ahead: Flag.optional(),
    /** With `paid`: the press that the call belongs to, to undo it by. */
    act: Act.optional(),
    /** For staff only. Unchanged if absent. */
    note: text(1_000).nullish(),
    /** Accepted but ignored: the panel's own clock and records decide (decisions, section 5). */
    paidDate: z.string().max(64).nullish(),
    shouldReduceSubscription: Flag.nullish(),
    /** What the editor saw: if it differs now, the change is refused. */
    expected: z
      .strictObject({ status: PaymentStatus, subscriptionEnd: ClubMoment.nullable(), claimId: Id.nullable() })
      .partial()
      .optional(),
  }),
  { user_id: "userId", paid_date: "paidDate", should_reduce_subscription: "shouldReduceSubscription" },
);

/** The provider's own id of a payment. */
const ProviderPayment = z.string().regex(/^[A-Za-z0-9._:-]{1,100}$/);

const Received = z.strictObject({
  /** The member's id or username. */
  user: z.string().min(1).max(64),
  months: Months.default(1),
  /** What was received: exactly what so many months cost. */
  amount: WrittenSum,
  currency: Currency,
});

const ReceivedPayment = z.object({
  userId: Id,
  username: z.string(),
  /** The first month that it paid for. */
  period: Period,
  months: Months,
  amount: Amount,
  currency: Currency,
  /** It had been recorded before; this call changed nothing. */
  isRepeated: z.boolean(),
  subscriptionEnd: ClubMoment.nullable(),
});

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));

const Settings = z.object({
  price: Amount.nullable(),
  /** For several months at once; null: not offered. */
  price3: Amount.nullable(),
  price6: Amount.nullable(),
  price12: Amount.nullable(),
  currency: Currency,
  details: z.string(),
});

const SettingsChange = z.strictObject({
  /** A month's price; null for no price. */
  price: WrittenSum.nullish(),
  /** The price of several months paid at once; null: not offered. */
  price3: WrittenSum.nullish(),
  price6: WrittenSum.nullish(),
  price12: WrittenSum.nullish(),
  currency: z
    .string()
    .toUpperCase()
    .refine((code) => CURRENCIES.has(code))
    .optional(),
  details: text(2_000).optional(),
  /** The values the editor saw: if one differs now, the change is refused. */
  expected: z
    .strictObject({
      price: Amount.nullable(),
      price3: Amount.nullable(),
      price6: Amount.nullable(),
      price12: Amount.nullable(),
      currency: Currency,
      details: z.string().max(2_000),
    })
    .partial()
    .optional(),
});

const PeriodPath = z.object({ period: Period });
/** Paying for a month (decisions, section 5). */
export const payments = {
  own: endpoint("GET /payments/own", {
    access: "member",
    scope: "payments:read",
    summary: "What you pay and how, the current month, your claims and the records so far",
    answer: OwnPayments,
  }),
  ownLedger: endpoint("GET /payments/ledger", {
    access: "member",
    scope: "payments:read",
    summary: "What was paid, granted and taken back, and how it moved your subscription's end; newest first",
    query: z.object(LedgerPage),
    answer: z.array(OwnLedgerEntry),
  }),
  claim: endpoint("POST /payments/claim", {
    access: "member",
    scope: "payments:write",
    summary:
      "Tell staff that you have paid, for one month or several; while the claim waits, calling again only replaces the receipt",
    body: z.strictObject({ receipt: SentPicture.optional(), months: Months.default(1) }),
    answer: OwnPayments,
    bodyLimit: bodyWithPictures(1),
    creation: true,
    refusals: [
      "payment.nothing_due",
      "payment.already_settled",
      "payment.not_set_up",
      "payment.length_not_offered",
      "payment.receipt_invalid",
      "picture.too_detailed",
      "picture.upload_gone",
    ],
  }),
  withdraw: endpoint("DELETE /payments/claim", {
    access: "member",
    scope: "payments:write",
    summary: "Withdraw your claim and its receipt",
  }),
  ownReceipt: endpoint("GET /payments/claim/receipt", {
    access: "member",
    scope: "payments:read",
    summary: "The receipt of your claim that waits or was declined recently",
    answer: { media: "image/*" },
    refusals: ["payment.receipt_not_found"],
  }),
  history: endpoint("GET /admin/payments/history/{period}", {
    needs: "payments.see",
    scope: "payments:read",
    summary: "Every member's payment for a month, by username; a moderator's answer leaves out VIP members",
    params: PeriodPath,
    query: z.object({
      ...TablePage,
      status: z.enum(PAYMENT_FILTERS).default("all"),
      /** `subscription`: who must pay soonest first. */
      sort: z.enum(["name", "subscription"]).default("name"),
      order: z.enum(["asc", "desc"]).default("asc"),
      ...AsViewed,
    }),
    answer: z.array(Payment),
  }),
  /** Beyond the specifications. */
  summary: endpoint("GET /admin/payments/summary/{period}", {
    needs: "payments.see",
    scope: "payments:read",
    summary:
      "How many members have each status in a month, and what was received; a moderator's answer leaves out VIP members",
    params: PeriodPath,
    query: z.object(AsViewed),
    answer: MonthSummary,
  }),
  /** Beyond the specifications. */
  ofMember: endpoint("GET /admin/payments/members/{id}", {
    needs: "payments.see",
    scope: "payments:read",
    summary:
      "One member's months and claims, and what each status would do to the subscription now; `period` asks about another month than the current one",
    params: MemberPath,
    query: z.object({ ...AsViewed, period: Period.optional() }),
    answer: MemberPayments,
    refusals: ["member.not_found"],
  }),
  /** Beyond the specifications. */
  ledger: endpoint("GET /admin/payments/members/{id}/ledger", {
    needs: "payments.see",
    scope: "payments:read",
    summary: "What was paid, granted and taken back, by whom, and how it moved the subscription's end; newest first",
    params: MemberPath,
    query: z.object({ ...LedgerPage, ...AsViewed }),
    answer: z.array(LedgerEntry),
    refusals: ["member.not_found"],
  }),
  setStatus: endpoint("PUT /admin/payments/status", {
    needs: "payments.set",
    scope: "payments:write",
    summary:
      "Set a member's status for the current month; this updates the subscription and decides a waiting claim. A payment for several months is recorded, and taken back, as a whole, also before its first month has begun",
    body: StatusWish,
    answer: Payment,
    refusals: [
      "auth.forbidden",
      "member.not_found",
      "payment.not_current_month",
      "payment.unlimited_member",
      "payment.transition",
      "payment.already_settled",
      "payment.length_not_offered",
      "payment.changed_meanwhile",
    ],
  }),
  /** Beyond the specifications. */
  receive: endpoint("PUT /admin/payments/received/{id}", {
    needs: "payments.set",
    scope: "payments:write",
    summary:
      "Record what a payment provider received, by its own payment id: the current month, or several from it on, becomes paid and a waiting claim is confirmed; a repeated or simultaneous call changes nothing more. While the current month is settled, several months are the next ones",
    params: z.object({ id: ProviderPayment }),
    body: Received,
    answer: ReceivedPayment,
    refusals: [
      "auth.forbidden",
      "member.not_found",
      "payment.id_used",
      "payment.wrong_sum",
      "payment.unlimited_member",
      "payment.already_settled",
      "payment.length_not_offered",
    ],
  }),
  /** Beyond the specifications. */
  undo: endpoint("POST /admin/payments/undo", {
    needs: "payments.set",
    scope: "payments:write",
    summary:
      "Undo what you set to paid with this `act` in the last 10 seconds: months, subscriptions and claims are as before; some members at a time: repeat with `after` from the answer until it is null",
    body: UndoWish,
    answer: Undone,
    refusals: ["undo.nothing", "undo.too_late"],
  }),
  /** Beyond the specifications. */
  revenue: endpoint("GET /admin/payments/revenue", {
    needs: "payments.see",
    scope: "payments:read",
    summary:
      "What was paid for and in each of the last 24 months and who paid again, oldest first; an admin's answer includes deleted members, a moderator's leaves out them and VIP members",
    query: z.object(AsViewed),
    answer: z.array(RevenueMonth).length(REVENUE_MONTHS),
  }),
  claims: endpoint("GET /admin/payments/claims", {
    needs: "payments.see",
    scope: "payments:read",
    summary: "Claims waiting for a decision; `q` matches part of the members' names",
    query: z.object({
      ...Page,
      /** `claimed`: the longest waiting first; `due`: whose subscription ended or ends first, as the month's list sorts them. */
      sort: z.enum(["claimed", "due"]).default("claimed"),
      ...AsViewed,
    }),
    answer: z.array(Claim),
  }),
  receipt: endpoint("GET /admin/payments/claims/{id}/receipt", {
    needs: "payments.see",
    scope: "payments:read",
    summary: "The receipt of a claim",
    answer: { media: "image/*" },
    refusals: ["payment.receipt_not_found"],
  }),
  decline: endpoint("PUT /admin/payments/claims/{id}/decline", {
    needs: "payments.set",
    scope: "payments:write",
    summary: "Decline a member's claim and say why; the month's status stays",
    body: z.strictObject({ reason: line(300).nullish() }),
    refusals: ["payment.claim_not_found", "payment.claim_decided"],
  }),
  settings: endpoint("GET /admin/payments/settings", {
    needs: "payments.see",
    scope: "payments:read",
    summary: "What a month costs, and the instructions for paying",
    answer: Settings,
  }),
  changeSettings: endpoint("PUT /admin/payments/settings", {
    needs: "settings.change",
    trust: true,
    summary: "Change the prices, their currency or how to pay; absent fields stay",
    body: SettingsChange,
    answer: Settings,
    refusals: ["settings.changed_meanwhile"],
  }),
};

export type OwnPaymentsAnswer = z.output<typeof OwnPayments>;
export type LedgerEntryAnswer = z.output<typeof LedgerEntry>;
export type OwnLedgerEntryAnswer = z.output<typeof OwnLedgerEntry>;
export type MonthSummaryAnswer = z.output<typeof MonthSummary>;
export type MemberPaymentsAnswer = z.output<typeof MemberPayments>;
export type PaymentAnswer = z.output<typeof Payment>;
export type PaymentStatusInput = z.output<typeof StatusWish>;
export type PaymentSettingsInput = z.output<typeof SettingsChange>;
export type ReceivedInput = z.output<typeof Received>;
export type ReceivedAnswer = z.output<typeof ReceivedPayment>;
