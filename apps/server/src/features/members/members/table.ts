import type { Language } from "@krug/contract/refusals";
import type { ColumnsOf } from "@krug/domain/fields/field";
import type { MEMBER_FIELDS } from "@krug/domain/fields/member";

export type MemberTables = {
  members: ColumnsOf<typeof MEMBER_FIELDS> & {
    id: string;
    /** Lower case: names are unique without regard to it. `deleted:ID` on a tombstone. */
    username_key: string;
    /** Its lower case, for the search; kept by the repository. */
    display_name_key: string;
    /** Null until a password was set by link. */
    password_hash: string | null;
    /** 1: the password is known to be long enough for staff. */
    staff_password: number;
    /** When the month ends whose quota is used up, ms; null while none is, or where its end only tells. Kept by quota.ts. */
    quota_used_up_until: number | null;
    accepted_rules_at: number | null;
    /** The one Telegram account linked to the member. */
    telegram_id: string | null;
    /** Their name there: @username, or the first name. */
    telegram_name: string | null;
    /** The language in which it speaks to the bot; null until it was heard. */
    telegram_language: Language | null;
    /** Since when they have blocked the bot, ms; they then count as not connected. */
    telegram_blocked_at: number | null;
    invited_by: string | null;
    invite_code_id: string | null;
    /** Who invited the member with an own code; null after a staff code, or if staff added the member. */
    friend_of: string | null;
    /** Since when friends earn them the subscription, ms; null if they don't. Kept by the referral's recount. */
    referral_earned_at: number | null;
    /** The last month that staff decided on, YYYY-MM; empty if there was none. Kept by the feature `payments`. */
    settled_period: string;
    /** The code they joined with, sealed. */
    invite_code: string | null;
    deleted_at: number | null;
  };
  /** What became of changes of many members, for a while, so that the same one sent again changes nobody twice. */
  bulk_changes: {
    actor_id: string;
    idempotency_key: string;
    /** Tells a repeated call from another one with the same key. */
    idempotency_hash: string;
    /** JSON, without names. */
    outcome: string;
    created_at: number;
  };
  /** What a member's devices add up to; kept by the feature `member-use`. */
  member_use: {
    member_id: string;
    /** ms since 1970; 0 where there never was one. */
    last_handshake_at: number;
    /** Received and sent, of 30 days of the club's calendar. */
    month_bytes: number;
    /** The last of those days, YYYY-MM-DD; a member whose days are over is counted from zero. */
    month_as_of: string;
    /** At least what was used of the last two days of the calendar. */
    recent_bytes: number;
    /** Usage over the lifetimes of all their configs. */
    life_bytes: number;
    /** The club's month, YYYY-MM, of the bytes that count towards the quota; those before a payment or a reset don't. */
    period: string;
    period_bytes: number;
  };
};

export type UseRow = MemberTables["member_use"];

export type MemberRow = Omit<MemberTables["members"], "display_name_key">;
