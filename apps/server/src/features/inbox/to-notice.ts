import type { NoticeAnswer } from "@krug/contract/inbox";
import type { ClubTime } from "../../platform/club-time.ts";
import type { NoticeRow } from "./table.ts";

/** Params that hold moments. */
const MOMENTS = new Set(["endsAt", "endedAt", "since", "until"]);

/** A row as the contract shows it: its params were checked by the types when they were written. */
export const toNotice = (clubTime: ClubTime, { id, kind, params, created_at, read_at }: NoticeRow) =>
  ({
    id,
    kind,
    params: JSON.parse(params, (name, value: unknown) =>
      MOMENTS.has(name) && typeof value === "string" ? clubTime.write(Date.parse(value)) : value,
    ) as unknown,
    createdAt: new Date(created_at).toISOString(),
    readAt: read_at === null ? null : new Date(read_at).toISOString(),
  }) as NoticeAnswer;
