import type { ClubTime } from "../../../platform/club-time.ts";
import { refuse } from "../../../platform/refusal.ts";

/** A subscription's end as staff set it: not earlier than today, stored as the end of that day (specification, operator's side 5). `field` is the input's name. */
export function subscriptionEndOn(written: string, clubTime: ClubTime, now: Date, field = "subscriptionEnd"): number {
  const day = clubTime.dayOf(clubTime.readWritten(written));
  if (day < clubTime.dayOf(now.getTime())) refuse("member.subscription_in_past", { field });
  return clubTime.readWritten(day);
}
