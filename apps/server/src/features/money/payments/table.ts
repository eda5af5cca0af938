import type { PaymentStatus } from "@krug/domain/payment-rules";
import type { PictureMedia } from "@krug/domain/picture-rules";
import type { PaymentLength } from "@krug/domain/prepaid-months";
import type { MemberRow } from "../../members/members/index.ts";

export type PaymentTables = {
  payments: {
    id: string;
    member_id: string;
    /** YYYY-MM. */
    period: string;
    status: PaymentStatus;
    /** Hundredths of the currency; null if no price was set. */
    amount: number | null;
    currency: string;
    /** YYYY-MM-DD. */
    due_day: string;
    paid_at: number | null;
    /** For staff only. */
    note: string | null;
    /** The grant in force; all null if there was none or it was taken back. */
    granted_from: number | null;
    granted_until: number | null;
    granted_end_before: number | null;
    granted_source_before: MemberRow["subscription_source"];
    granted_anchor_day: number | null;
    /** The same in all months of one payment, and their number; null: it was only for this month. */
    prepayment_id: string | null;
    prepayment_months: PaymentLength | null;
    created_at: number;
    changed_at: number;
  };
  payment_claims: {
    id: string;
    member_id: string;
    state: "waiting" | "confirmed" | "declined";
    claimed_at: number;
    decided_at: number | null;
    /** The staff member who decided; null before this was recorded. */
    decided_by: string | null;
    /** Staff's reason for a refusal, for the member. */
    reason: string | null;
    receipt_id: string | null;
    months: PaymentLength;
    /** What the member was shown, in hundredths of the currency; null if no price was set, or before this was recorded. */
    amount: number | null;
    currency: string | null;
  };
  /** What a confirmation replaced, for the moment in which it can be undone (ADR 182). */
  payment_undos: {
    act_id: string;
    member_id: string;
    at: number;
    /** JSON of `Replaced` (replaced.ts). */
    before: string;
  };
  /** What providers reported (ADR 183). */
  received_payments: {
    /** The provider's. */
    id: string;
    member_id: string;
    months: PaymentLength;
    /** Hundredths of the currency. */
    amount: number;
    currency: string;
    /** The first month that it paid for, YYYY-MM. */
    period: string;
    received_at: number;
  };
  payment_receipts: {
    id: string;
    media: PictureMedia;
    picture: Uint8Array;
  };
};

export type PaymentRow = PaymentTables["payments"];
export type ClaimRow = PaymentTables["payment_claims"];
export type ReceiptRow = PaymentTables["payment_receipts"];
export type ReceivedRow = PaymentTables["received_payments"];
