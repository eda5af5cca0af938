export type StaffTables = {
  telegram_staff: {
    member_id: string;
    telegram_id: string;
    /** When a two-factor code confirmed this account, ms. */
    confirmed_at: number | null;
    /** JSON: what the next message answers (Pending). */
    pending: string | null;
    pending_at: number | null;
  };
  telegram_messages: {
    /** null: by a panel of an earlier version. */
    bot_id: string | null;
    chat_id: string;
    message_id: number;
    reader_id: string;
    kind: string;
    /** The claim or the ticket; null: the member's chat. */
    subject: string | null;
    /** The member it names. */
    about_id: string;
    sent_at: number;
  };
};

export type SentRow = StaffTables["telegram_messages"];

/** `text` and `pictures`: of a message that is the act. `album`: Telegram sends each picture of an album as a message. */
export interface WaitingAct {
  act: string;
  text?: string;
  pictures?: string[];
  album?: string;
}

/** What the bot has asked. */
export type Pending =
  /** A two-factor code; then the act goes on, after the replies that came before it. */
  | ({ is: "code"; before?: WaitingAct[] } & WaitingAct)
  /** Why the claim is declined. */
  | { is: "reason"; claimId: string }
  /** A two-factor code of its own. */
  | { is: "maintenance"; enabled: boolean };
