import type { Language } from "@krug/contract/refusals";
import type { ColumnsOf } from "@krug/domain/fields/field";
import type { MEMBER_FIELDS } from "@krug/domain/fields/member";
import type { LedgerKind } from "@krug/domain/ledger";

export type MemberTables = {
  members: ColumnsOf<typeof MEMBER_FIELDS> & {
    id: string;
    /** Lower case: names are unique without regard to it. `deleted:ID` on a tombstone. */
    username_key: string;
    /** Lower case, for the search; set by the repository. */
    display_name_key: string;
    /** Null until a password is set by link. */
    password_hash: string | null;
    /** 1: the password is known to be long enough for staff. */
    staff_password: number;
    /** End of the month whose quota is used up, ms; null: not used up, or its end does not stop the VPN. Set by quota.ts. */
    quota_used_up_until: number | null;
    /** The same of a quota whose end slows the VPN down. */
    quota_slowed_until: number | null;
    accepted_rules_at: number | null;
    /** The one Telegram account linked to the member. */
    telegram_id: string | null;
    /** Their name there: @username, or the first name. */
    telegram_name: string | null;
    /** The language they use with the bot; null until they have written. */
    telegram_language: Language | null;
    /** Since when they have blocked the bot, ms; they then count as not connected. */
    telegram_blocked_at: number | null;
    invited_by: string | null;
    invite_code_id: string | null;
    /** Who invited the member with their own code; null after a staff code, or if staff added the member. */
    friend_of: string | null;
    /** Since when friends earn them the subscription, ms; null if they don't. Set by the referral recount. */
    referral_earned_at: number | null;
    /** The last month that staff decided on, YYYY-MM; empty: none. Set by `payments`. */
    settled_period: string;
    /** The code they joined with, sealed. */
    invite_code: string | null;
    deleted_at: number | null;
  };
  /** What moved a member's `subscription_end`, each row from where the one before led; only added to (ADR 171). Set by `ledger.ts`. */
  subscription_ledger: {
    member_id: string;
    /** From 1 on. */
    seq: number;
    at: number;
    kind: LedgerKind;
    /** Who caused it; null: the panel or the command line. */
    by_id: string | null;
    end_before: number | null;
    end_after: number | null;
    source_before: ColumnsOf<typeof MEMBER_FIELDS>["subscription_source"];
    /** The first month of a payment, YYYY-MM, and how many. */
    period: string | null;
    months: number | null;
    /** Hundredths of the currency; negative: it does not count as paid any more. */
    amount: number | null;
    currency: string | null;
    /** The same in all rows that one press wrote. */
    act_id: string;
  };
  /** Results of bulk changes, stored for a while so that a repeated call changes nobody twice. */
  bulk_changes: {
    actor_id: string;
    idempotency_key: string;
    /** Distinguishes a repeated call from a different one with the same key. */
    idempotency_hash: string;
    /** JSON, without names. */
    outcome: string;
    created_at: number;
  };
  /** The total usage of a member's devices; set by `use.ts`. */
  member_use: {
    member_id: string;
    /** ms since 1970; 0: never. */
    last_handshake_at: number;
    /** Bytes received and sent in the last 30 calendar days of the club. */
    month_bytes: number;
    /** The last of those days, YYYY-MM-DD. */
    month_as_of: string;
    /** At least the bytes of the last two calendar days. */
    recent_bytes: number;
    /** Bytes over the lifetimes of all their configs. */
    life_bytes: number;
    /** The club's month, YYYY-MM, of the bytes that count towards the quota since the last payment or reset. */
    period: string;
    period_bytes: number;
  };
};

export type LedgerRow = MemberTables["subscription_ledger"];

export type UseRow = MemberTables["member_use"];

export type MemberRow = Omit<MemberTables["members"], "display_name_key">;
