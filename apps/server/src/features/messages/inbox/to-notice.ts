import type { NoticeAnswer } from "@krug/contract/messages/inbox";
import { isoOf } from "@krug/domain/moment";
import { paramsThatAre, traitsOf } from "@krug/domain/notices";
import type { ClubTime } from "../../../platform/club-time.ts";
import type { NoticeRow } from "./table.ts";

/** A row as the contract shows it: its params were type-checked when written. Extra ones from an earlier version are left out. */
export function toNotice(clubTime: ClubTime, { id, kind, params, created_at, read_at }: NoticeRow) {
  const moments = paramsThatAre(kind, "moment", "moment or null");
  const written: Record<string, unknown> = JSON.parse(params);
  const told = Object.keys(traitsOf(kind).params).flatMap((name) => {
    const value = written[name];
    if (value === undefined) return [];
    return [[name, moments.includes(name) && typeof value === "string" ? clubTime.write(Date.parse(value)) : value]];
  });
  return {
    id,
    kind,
    params: Object.fromEntries(told),
    createdAt: isoOf(created_at),
    readAt: isoOf(read_at),
  } as NoticeAnswer;
}
