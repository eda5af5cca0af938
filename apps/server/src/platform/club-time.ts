import { DateTime } from "luxon";

/** Days and months as the club counts them, in its own time zone (decisions, sections 5 and 13). */
export interface ClubTime {
  /** 23:59:59 of the day `YYYY-MM-DD`, or the moment itself for a full ISO time. ms since 1970. */
  readWritten(value: string): number;
  /** `YYYY-MM-DD` of a moment in ms. */
  dayOf(at: number): string;
  /** 00:00 of the day of a moment, ms. */
  startOfDay(at: number): number;
  /** 00:00 of the first day of the month of a moment, ms. */
  startOfMonth(at: number): number;
}

export function makeClubTime(zone: string): ClubTime {
  const local = (at: number) => DateTime.fromMillis(at, { zone });
  return {
    readWritten: (value) =>
      /^\d{4}-\d\d-\d\d$/.test(value)
        ? DateTime.fromISO(value, { zone }).set({ hour: 23, minute: 59, second: 59, millisecond: 0 }).toMillis()
        : DateTime.fromISO(value).toMillis(),
    dayOf: (at) => local(at).toISODate() ?? "",
    startOfDay: (at) => local(at).startOf("day").toMillis(),
    startOfMonth: (at) => local(at).startOf("month").toMillis(),
  };
}
