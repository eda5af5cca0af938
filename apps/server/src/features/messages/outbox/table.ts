import type { NoticeGroup } from "@krug/domain/notices/groups";
import type { Reason } from "@krug/domain/reasons";

/** The channels on which notices leave the panel. */
export type WayName = "telegram" | "push";

export type OutboxTables = {
  outbox: {
    way: WayName;
    target: string;
    notice_id: string;
    member_id: string;
    /** Microseconds since 1970, unique within one panel. */
    turn: number;
    not_before: number;
    attempts: number;
    /** When it was given up, and why. */
    failed_at: number | null;
    reason: Reason | null;
  };
  notice_choices: { member_id: string; notices: NoticeGroup; wanted: number };
};

export type OutboxRow = OutboxTables["outbox"];
export type ChoiceRow = OutboxTables["notice_choices"];
