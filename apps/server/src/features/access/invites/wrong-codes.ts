import { inviteBan } from "@krug/domain/invite-rules";
import { DAY_MS, isAheadOfTime } from "@krug/domain/moment";
import type { AttemptRow } from "./table.ts";

export interface WrongCodes {
  count: number;
  /** ms since 1970; null when the address may try. */
  bannedUntil: number | null;
}

/** A count lapses after a quiet day, which starts when the ban ends. */
const QUIET_MS = DAY_MS;
/** The longest ban and the quiet day after it: older rows mean nothing. */
export const ATTEMPTS_KEPT_MS = 2 * DAY_MS;

/** The count and ban of an address (or a Telegram account) at `now`, ms. */
export function wrongCodesOf(
  row: Pick<AttemptRow, "wrong_codes" | "last_wrong_at"> | undefined,
  now: number,
): WrongCodes {
  if (row === undefined) return { count: 0, bannedUntil: null };
  const banEndsAt = row.last_wrong_at + inviteBan(row.wrong_codes);
  if (now >= banEndsAt + QUIET_MS) return { count: 0, bannedUntil: null };
  if (isAheadOfTime(row.last_wrong_at, now)) return { count: row.wrong_codes, bannedUntil: null };
  return { count: row.wrong_codes, bannedUntil: now < banEndsAt ? banEndsAt : null };
}
