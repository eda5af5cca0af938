import type { PaymentStatus } from "@krug/domain/payment-rules";
import type { PictureMedia } from "@krug/domain/picture-rules";
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
