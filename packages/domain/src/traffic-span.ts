import { DAY_MS } from "./moment.ts";
import { daysUpTo } from "./traffic.ts";

/** How long hourly traffic is stored (decisions, section 14). */
export const HOURS_KEPT_DAYS = 35;
export const DAYS_KEPT = 2 * 365;

export type Step = "hour" | "day" | "month";

/** More days than this make too many bars to tell apart: they are summed by month. */
const MOST_DAILY_BARS = 92;
/** Spans of up to this many days are shown by the hour, while hours are stored. */
const MOST_HOURLY_DAYS = 2;

/** The step for a span of whole days; `daysAgo`: how long ago its first day was. */
export function stepOf(days: number, daysAgo: number): Step {
  if (days <= MOST_HOURLY_DAYS && daysAgo < HOURS_KEPT_DAYS) return "hour";
  return days <= MOST_DAILY_BARS ? "day" : "month";
}

/** How many days from one to the other, both included. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS) + 1;

/** The days from one to the other, both included; YYYY-MM-DD. */
export const daysFromTo = (from: string, to: string): string[] => daysUpTo(to, daysBetween(from, to));

/** The months those days fall in; YYYY-MM. */
export const monthsFromTo = (from: string, to: string): string[] => [
  ...new Set(daysFromTo(from, to).map((day) => day.slice(0, 7))),
];

/** The first day of the month this many months before the month of `day`. */
export function monthsBack(day: string, months: number): string {
  const at = new Date(`${day.slice(0, 7)}-01T00:00:00Z`);
  at.setUTCMonth(at.getUTCMonth() - months);
  return at.toISOString().slice(0, 10);
}
