import { PAYMENT_STATUSES } from "@krug/domain/payment-rules";
import { z } from "zod";
import { endpoint, nothing } from "./endpoint.ts";
import {
  AsViewed,
  bodyWithPictures,
  ClubMoment,
  Flag,
  Id,
  line,
  MomentCursor,
  Page,
  SentPicture,
  Time,
  twins,
} from "./fields.ts";
import { MemberPath } from "./members.ts";

const PaymentStatus = z.enum(PAYMENT_STATUSES);

/** YYYY-MM. */
export const Period = z.string().regex(/^[1-9]\d{3}-(0[1-9]|1[0-2])$/);

/** An exact decimal with up to two places, e.g. "300" or "10.99"; null where staff have set no price. */
const Amount = z.string().regex(/^\d+(\.\d\d)?$/);
/** ISO 4217. */
const Currency = z.string().regex(/^[A-Z]{3}$/);

/** Why there is nothing to pay; null where there is. */
const Free = z.enum(["unlimited", "referral"]).nullable();

/** A member's month as the member himself sees it. */
const OwnPayment = z.object({
  period: Period,
  status: PaymentStatus,
  amount: Amount.nullable(),
  currency: Currency,
  paidDate: Time.nullable(),
  dueDate: z.iso.date(),
  /** To when the subscription was prolonged by it; null where it was not, or that was taken back. */
  grantedUntil: ClubMoment.nullable(),
});

/** What a member told staff: that he has paid. */
const OwnClaim = z.object({
  id: Id,
  state: z.enum(["waiting", "declined"]),
  claimedAt: Time,
  decidedAt: Time.nullable(),
  /** What staff told him with a refusal. */
  reason: z.string().nullable(),
  /** Names the receipt that is kept now, null without one: another receipt has another name. */
  receipt: Id.nullable(),
});

const OwnPayments = z.object({
  /** What a month costs now; null where staff have set no price. */
  price: z.object({ amount: Amount, currency: Currency }).nullable(),
  /** How to pay, as staff wrote it. */
  details: z.string().nullable(),
  free: Free,
  /** The month that runs. */
  current: OwnPayment,
  /** The one that waits, or that was declined of late. */
  claim: OwnClaim.nullable(),
  /** Whether 'I have paid' can be said now. */
  canClaim: z.boolean(),
  /** To when a payment that is confirmed now would prolong the subscription; null where there is nothing to pay. */
  wouldExtendTo: ClubMoment.nullable(),
  /** Months that something was recorded for, the newest first, at most 24. */
  history: z.array(OwnPayment),
});

/** A member's month as staff see it, in the specification's twin spellings. */
const Payment = z.object({
  /** null where nothing is recorded yet. */
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
  paidDate: Time.nullable(),
  paid_date: Time.nullable(),
  dueDate: z.iso.date(),
  due_date: z.iso.date(),
  period: Period,
  note: z.string().nullable(),
  grantedUntil: ClubMoment.nullable(),
  subscriptionEnd: ClubMoment.nullable(),
  /** A claim of his that waits. */
  claimId: Id.nullable(),
});

const Claim = z.object({
  id: Id,
  userId: Id,
  username: z.string(),
  displayName: z.string(),
  claimedAt: Time,
  receipt: Id.nullable(),
  /** The month that a confirmation now is for, and its status. */
  period: Period,
  status: PaymentStatus,
  isUnlimited: z.boolean(),
  subscriptionEnd: ClubMoment.nullable(),
  /** To when a confirmation now would prolong the subscription; null where it would not. */
  grantsUntil: ClubMoment.nullable(),
});

/** What staff look for in a month. `pending`: those who have something to pay; `unlimited`: those of whom nothing is recorded. */
export const PAYMENT_FILTERS = ["all", ...PAYMENT_STATUSES, "unlimited"] as const;
const Sum = z.object({ amount: Amount, currency: Currency });

/** A month as a whole. */
const MonthSummary = z.object({
  period: Period,
  /** The month that runs by the club's clock: the only one in which a status can be set. */
  currentPeriod: Period,
  /** Members by what they are found under. */
  counts: z.object(
    Object.fromEntries(PAYMENT_FILTERS.map((name) => [name, z.int().nonnegative()])) as Record<
      (typeof PAYMENT_FILTERS)[number],
      z.ZodInt
    >,
  ),
  /** What those who are set paid have paid, by currency. */
  received: z.array(Sum),
  /** Of members who were deleted since, beside `received`; an admin's alone to see. */
  receivedFromDeleted: z.array(Sum),
});

/** What a status would do to the subscription if it were set now, or why it cannot be set. */
const StatusChoice = z.object({
  status: PaymentStatus,
  refusal: z.object({ code: z.string(), message: z.string() }).nullable(),
  /** null: the subscription stays as it is. */
  effect: z
    .object({ kind: z.enum(["grant", "take back"]), from: ClubMoment.nullable(), until: ClubMoment.nullable() })
    .nullable(),
});

/** All that staff see of what one member pays. */
const MemberPayments = z.object({
  /** The month that runs. */
  current: Payment,
  choices: z.array(StatusChoice),
  /** Months that something was recorded for, the newest first, at most 120. */
  history: z.array(Payment),
  /** What he said of paying, the newest first, at most 20. */
  claims: z.array(
    z.object({
      id: Id,
      state: z.enum(["waiting", "confirmed", "declined"]),
      claimedAt: Time,
      decidedAt: Time.nullable(),
      reason: z.string().nullable(),
      receipt: Id.nullable(),
    }),
  ),
});

/** Staff's text: lines, but no other control characters. */
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
    /** For staff alone. Left as it is where not given. */
    note: text(1_000).nullish(),
    /** Accepted and not trusted: the panel's own clock and record say (decisions, section 5). */
    paidDate: z.string().max(64).nullish(),
    shouldReduceSubscription: Flag.nullish(),
    /** What the one who sets it saw: where it is otherwise by now nothing is changed, and he is told. */
    expected: z.strictObject({ status: PaymentStatus, subscriptionEnd: ClubMoment.nullable() }).partial().optional(),
  }),
  { user_id: "userId", paid_date: "paidDate", should_reduce_subscription: "shouldReduceSubscription" },
);

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));

const Settings = z.object({
  price: Amount.nullable(),
  currency: Currency,
  details: z.string(),
});

const SettingsChange = z.strictObject({
  /** A month's price with up to two places, null for none. */
  price: z
    .union([z.string(), z.number()])
    .transform(String)
    .pipe(
      z
        .string()
        .regex(/^\d{1,7}(\.\d{1,2})?$/)
        .refine((written) => Number(written) > 0),
    )
    .nullish(),
  currency: z
    .string()
    .toUpperCase()
    .refine((code) => CURRENCIES.has(code))
    .optional(),
  details: text(2_000).optional(),
  /** What the changer saw of what he changes: where one is otherwise by now, nothing is changed and he is told. */
  expected: z
    .strictObject({ price: Amount.nullable(), currency: Currency, details: z.string().max(2_000) })
    .partial()
    .optional(),
});

const PeriodPath = z.object({ period: Period });
const ClaimPath = z.object({ id: Id });

/** Paying for a month (decisions, section 5). */
export const payments = {
  own: endpoint({
    method: "GET",
    path: "/payments/own",
    access: "member",
    summary: "What one pays and how, the month that runs, what one claimed, and what was recorded so far",
    answer: OwnPayments,
  }),
  claim: endpoint({
    method: "POST",
    path: "/payments/claim",
    access: "member",
    summary: "Tell staff that one has paid; again while that waits: with another receipt",
    body: z.strictObject({ receipt: SentPicture.optional() }),
    answer: OwnPayments,
    bodyLimit: bodyWithPictures(1),
    creation: true,
    refusals: [
      "payment.nothing_due",
      "payment.already_settled",
      "payment.not_set_up",
      "payment.receipt_invalid",
      "picture.too_detailed",
      "picture.upload_gone",
    ],
  }),
  withdraw: endpoint({
    method: "DELETE",
    path: "/payments/claim",
    access: "member",
    summary: "Take back what one told staff, with the receipt",
    answer: nothing,
  }),
  ownReceipt: endpoint({
    method: "GET",
    path: "/payments/claim/receipt",
    access: "member",
    summary: "The receipt that one sent with the claim that waits or was declined of late",
    answer: { media: "image/*" },
    refusals: ["payment.receipt_not_found"],
  }),
  history: endpoint({
    method: "GET",
    path: "/admin/payments/history/{period}",
    access: "staff",
    summary: "Every member's payment for a month, by username; VIP members are left out of a moderator's answer",
    params: PeriodPath,
    query: z.object({ ...Page, status: z.enum(PAYMENT_FILTERS).default("all"), ...AsViewed }),
    answer: z.array(Payment),
  }),
  /** Beyond the specifications. */
  summary: endpoint({
    method: "GET",
    path: "/admin/payments/summary/{period}",
    access: "staff",
    summary:
      "How many members stand how in a month, and what was received; VIP members are left out of a moderator's answer",
    params: PeriodPath,
    query: z.object(AsViewed),
    answer: MonthSummary,
  }),
  /** Beyond the specifications. */
  ofMember: endpoint({
    method: "GET",
    path: "/admin/payments/members/{id}",
    access: "staff",
    summary: "One member's months and claims, and what each status would do to his subscription now",
    params: MemberPath,
    query: z.object(AsViewed),
    answer: MemberPayments,
    refusals: ["member.not_found"],
  }),
  setStatus: endpoint({
    method: "PUT",
    path: "/admin/payments/status",
    access: "staff",
    summary: "Set a member's status for the current month; the subscription follows, and a claim that waits is decided",
    body: StatusWish,
    answer: Payment,
    refusals: [
      "auth.forbidden",
      "member.not_found",
      "payment.not_current_month",
      "payment.unlimited_member",
      "payment.transition",
      "payment.changed_meanwhile",
    ],
  }),
  claims: endpoint({
    method: "GET",
    path: "/admin/payments/claims",
    access: "staff",
    summary: "Who says that he has paid and waits, the longest waiting first",
    query: z.object({ limit: Page.limit, cursor: MomentCursor.optional(), ...AsViewed }),
    answer: z.array(Claim),
  }),
  receipt: endpoint({
    method: "GET",
    path: "/admin/payments/claims/{id}/receipt",
    access: "staff",
    summary: "The receipt that came with a claim",
    params: ClaimPath,
    answer: { media: "image/*" },
    refusals: ["payment.receipt_not_found"],
  }),
  decline: endpoint({
    method: "PUT",
    path: "/admin/payments/claims/{id}/decline",
    access: "staff",
    summary: "Tell a member that his payment was not found, and why; the month's status stays",
    params: ClaimPath,
    body: z.strictObject({ reason: line(300).nullish() }),
    answer: nothing,
    refusals: ["payment.claim_not_found", "payment.claim_decided"],
  }),
  settings: endpoint({
    method: "GET",
    path: "/admin/payments/settings",
    access: "staff",
    summary: "What a month costs, and how members are told to pay",
    answer: Settings,
  }),
  changeSettings: endpoint({
    method: "PUT",
    path: "/admin/payments/settings",
    access: "admin",
    summary: "Change the price, its currency or how to pay; what is not named stays",
    body: SettingsChange,
    answer: Settings,
    refusals: ["settings.changed_meanwhile"],
  }),
};

export type OwnPaymentsAnswer = z.output<typeof OwnPayments>;
export type MonthSummaryAnswer = z.output<typeof MonthSummary>;
export type MemberPaymentsAnswer = z.output<typeof MemberPayments>;
export type PaymentAnswer = z.output<typeof Payment>;
export type PaymentStatusInput = z.output<typeof StatusWish>;
export type PaymentSettingsInput = z.output<typeof SettingsChange>;
