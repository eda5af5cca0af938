import type { ToldNotice } from "@krug/contract/inbox";

export type InboxTables = {
  /** What the club tells members. A messenger's outbox would name a notice by its id: what is told stands here alone. */
  notices: {
    id: string;
    member_id: string;
    kind: ToldNotice["kind"];
    /** JSON, by the kind (packages/contract/src/inbox.ts). */
    params: string;
    /** Unique among a member's notices: what must not be told twice. */
    once_key: string | null;
    created_at: number;
    read_at: number | null;
  };
};

export type NoticeRow = InboxTables["notices"];
