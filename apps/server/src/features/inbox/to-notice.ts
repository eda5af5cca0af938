import type { NoticeAnswer } from "@krug/contract/inbox";
import type { NoticeRow } from "./table.ts";

/** A row as the contract shows it: its params were checked by the types when they were written. */
export const toNotice = ({ id, kind, params, created_at, read_at }: NoticeRow) =>
  ({
    id,
    kind,
    params: JSON.parse(params) as unknown,
    createdAt: new Date(created_at).toISOString(),
    readAt: read_at === null ? null : new Date(read_at).toISOString(),
  }) as NoticeAnswer;
