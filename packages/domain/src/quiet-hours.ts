import { DAY_MS, HOUR_MS } from "./moment.ts";

/** Hours of the club's day, 0 to 23, in which the club sends nothing that can wait; equal: no quiet hours. */
export interface QuietHours {
  from: number;
  until: number;
}

/** When the quiet hours around a moment end, null outside of them. Both in ms of the club's wall clock. */
export function endOfQuiet(wall: number, { from, until }: QuietHours): number | null {
  const midnight = Math.floor(wall / DAY_MS) * DAY_MS;
  const hour = (wall - midnight) / HOUR_MS;
  const isQuiet = from <= until ? from <= hour && hour < until : from <= hour || hour < until;
  if (!isQuiet) return null;
  const end = midnight + until * HOUR_MS;
  return end > wall ? end : end + DAY_MS;
}
