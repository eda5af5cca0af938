import type { NoticeKind } from "@krug/domain/notices";

export type InboxTables = {
  /** What the club tells members. The texts are only here; the outbox refers to a notice by its id. */
  notices: {
    id: string;
    member_id: string;
    kind: NoticeKind;
    /** JSON, by the kind (packages/domain/src/notices). */
    params: string;
    /** Unique among a member's notices, so that nothing is told twice. */
    once_key: string | null;
    /** The member whom it names, for kinds that name one. */
    about_id: string | null;
    /** 1: it counts VIP members in, of whom only admins may know. */
    counts_vip: number;
    created_at: number;
    read_at: number | null;
  };
};

export type NoticeRow = InboxTables["notices"];
