import type { Role } from "@krug/domain/roles";

export type AuthTables = {
  sessions: {
    id: string;
    /** SHA-256 of the token, base64url: the token itself is not stored. */
    token_hash: string;
    /** The session's former token; it counts until `previous_until`, and not as elevated. */
    previous_token_hash: string | null;
    previous_until: number | null;
    member_id: string;
    device: string | null;
    created_at: number;
    last_seen_at: number;
    /** When it expires if unused, for the clean-up; the rule and the current role decide who may enter. */
    expires_at: number;
    /** When a correct two-factor code was given. */
    elevated_at: number | null;
    /** The last call since then caused by a person, to the minute. */
    elevation_seen_at: number | null;
    /** When the member last entered the password, at sign-in or since; 0: not in this session. */
    password_at: number;
    /** 1: opened in Telegram, by the linked account; ends when that is unlinked. */
    by_telegram: number;
  };
  one_time_links: {
    /** SHA-256 of the token, base64url. */
    token_hash: string;
    purpose: "setup" | "password" | "config";
    /** Null for the set-up link: there is no member yet. */
    member_id: string | null;
    /** The member's role when the password link was made. */
    member_role: Role | null;
    /** The config that the link hands over. */
    config_id: string | null;
    /** Null: valid until used or replaced. */
    expires_at: number | null;
    created_at: number;
  };
  attempts: {
    /** Keyed hash of what is counted: an account's name, an address. */
    subject: string;
    failures: number;
    last_failure_at: number;
  };
};

export type SessionRow = AuthTables["sessions"];
export type LinkRow = AuthTables["one_time_links"];
export type AttemptRow = AuthTables["attempts"];
