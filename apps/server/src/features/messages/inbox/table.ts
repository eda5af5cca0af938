import type { NoticeKind } from "@krug/domain/notices";

export type InboxTables = {
  /** The club's notices to members. The texts are only here; the outbox refers to a notice by id. */
  notices: {
    id: string;
    member_id: string;
    kind: NoticeKind;
    /** JSON, by the kind (packages/domain/src/notices). */
    params: string;
    /** Unique among a member's notices, so that nothing is notified twice. */
    once_key: string | null;
    /** The member it names, for kinds that name one. */
    about_id: string | null;
    /** 1: it counts VIP members, which only admins may see. */
    counts_vip: number;
    created_at: number;
    read_at: number | null;
  };
};

export type NoticeRow = InboxTables["notices"];
