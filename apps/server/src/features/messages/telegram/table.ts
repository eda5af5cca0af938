import type { Trouble } from "./failure.ts";

export type TelegramTables = {
  telegram_bots: {
    /** Keyed hash of the bot's token. */
    token_hash: string;
    /** Without @; null until Telegram has answered it. */
    username: string | null;
    /** Why the bot does not work now; null if it does. */
    trouble: Trouble | null;
    trouble_since: number | null;
  };
  telegram_codes: {
    member_id: string;
    purpose: "link" | "unlink";
    /** Keyed hash of the code, to look it up. */
    code_hash: string;
    sealed_code: string;
    expires_at: number;
  };
  telegram_openings: {
    /** Keyed hash of what Telegram signed. */
    opening_hash: string;
    expires_at: number;
  };
  telegram_attempts: {
    /** Keyed hash of the Telegram account. */
    account_hash: string;
    wrong_codes: number;
    last_wrong_at: number;
  };
};

export type BotRow = TelegramTables["telegram_bots"];
export type CodeRow = TelegramTables["telegram_codes"];
export type AttemptRow = TelegramTables["telegram_attempts"];
