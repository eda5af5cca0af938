import type { SpanInput } from "@krug/contract/operation/statistics";
import { HOUR_MS } from "@krug/domain/moment";
import {
  DAYS_KEPT,
  daysBetween,
  daysFromTo,
  monthsBack,
  monthsFromTo,
  type Step,
  stepOf,
} from "@krug/domain/traffic-span";
import type { Platform } from "../../../platform/platform.ts";
import { refuse } from "../../../platform/refusal.ts";
import type { Range } from "../../vpn/traffic/index.ts";

export interface ReadSpan {
  range: Range;
  step: Step;
  /** Every step, the oldest first: as stored, and as answered. */
  steps: { key: string; at: string }[];
}

const HOURS_OF_A_DAY = 24;
const DAYS_OF_A_MONTH = 30;
const MONTHS_OF_A_YEAR = 12;

/** Reads a requested span: whole days of the club's calendar, or the last 24 hours including the current one. */
export function makeReadSpan({ clock, clubTime }: Platform) {
  const wall = (at: number) => new Date(clubTime.toWall(at)).toISOString().slice(0, 16);

  /** Also across a clock change: the hours that existed. */
  const hours = (first: number, last: number): ReadSpan => {
    const steps: ReadSpan["steps"] = [];
    for (let at = first; at <= last; at += HOUR_MS) steps.push({ key: String(at), at: wall(at) });
    return { range: { by: "hour", first, last }, step: "hour", steps };
  };
  const days = (first: string, last: string, step: "day" | "month"): ReadSpan => ({
    range: { by: "day", first, last },
    step,
    steps: (step === "day" ? daysFromTo : monthsFromTo)(first, last).map((at) => ({ key: at, at })),
  });

  return ({ span, from, to }: SpanInput): ReadSpan => {
    const now = clock.now().getTime();
    const today = clubTime.dayOf(now);
    if (from === undefined && to === undefined) {
      if (span === "month") return days(clubTime.dayOf(now, 1 - DAYS_OF_A_MONTH), today, "day");
      if (span === "year") return days(monthsBack(today, MONTHS_OF_A_YEAR - 1), today, "month");
      const last = clubTime.startOfHour(now);
      return hours(last - (HOURS_OF_A_DAY - 1) * HOUR_MS, last);
    }
    const oldest = clubTime.dayOf(now, -DAYS_KEPT);
    const last = min(to ?? today, today);
    const first = max(from ?? oldest, oldest);
    if ((from ?? "") > (to ?? today))
      refuse(from !== undefined && from > today ? "statistics.span_in_future" : "statistics.span_backwards", {
        field: "from",
        today,
      });
    if (first > last) refuse("statistics.span_backwards", { field: "to" });
    const step = stepOf(daysBetween(first, last), daysBetween(first, today) - 1);
    if (step !== "hour") return days(first, last, step);
    const end = Math.min(now, clubTime.readWritten(last));
    return hours(startOf(first), clubTime.startOfHour(end));
  };

  /** 00:00 of a day, or its first moment if the clock skips midnight. */
  function startOf(day: string): number {
    return clubTime.startOfDay(clubTime.readWritten(day));
  }
}

const min = (a: string, b: string) => (a < b ? a : b);
const max = (a: string, b: string) => (a > b ? a : b);
