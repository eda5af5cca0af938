import type { NoticeAnswer } from "@krug/contract/messages/inbox";
import { paramsThatAre } from "@krug/domain/notices";
import type { ClubTime } from "../../../platform/club-time.ts";
import type { NoticeRow } from "./table.ts";

/** A row as the contract shows it: its params were checked by the types when they were written. */
export function toNotice(clubTime: ClubTime, { id, kind, params, created_at, read_at }: NoticeRow) {
  const moments = paramsThatAre(kind, "moment", "moment or null");
  return {
    id,
    kind,
    params: JSON.parse(params, (name, value: unknown) =>
      moments.includes(name) && typeof value === "string" ? clubTime.write(Date.parse(value)) : value,
    ) as unknown,
    createdAt: new Date(created_at).toISOString(),
    readAt: read_at === null ? null : new Date(read_at).toISOString(),
  } as NoticeAnswer;
}
