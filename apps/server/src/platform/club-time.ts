import { DateTime } from "luxon";

/** Days and months as the club counts them, in its own time zone (decisions, sections 5 and 13). */
export interface ClubTime {
  /**
   * 23:59:59 of the day `YYYY-MM-DD`, or the exact moment for a full ISO time; at most the end of the year 9999, the last
   * that ISO's four digits can hold. ms since 1970, NaN if invalid.
   */
  readWritten(value: string): number;
  /** ISO 8601 with the club's offset: the first ten characters are the club's day, wherever the reader is. null for null. */
  write<At extends number | null | undefined>(at: At): At extends number ? string : string | null;
  /** `YYYY-MM-DD` of a moment in ms, or of a number of calendar days after it: a day with a clock change has 23 or 25 hours. */
  dayOf(at: number, daysAfter?: number): string;
  /** The zone's name in the tz database. */
  zone(): string;
  /** The start of a moment's hour on the club's clock, ms. */
  startOfHour(at: number): number;
  /** 00:00 of a moment's day, ms. */
  startOfDay(at: number): number;
  /** 00:00 of the first day of a moment's month, ms. */
  startOfMonth(at: number): number;
  /** 00:00 of the first day of the month after a moment's, ms. */
  startOfNextMonth(at: number): number;
  /** What the club's clock shows at a moment, as ms as if the club were in UTC. */
  toWall(at: number): number;
  /** The moment of such a wall time; an hour later if the clock skips it; at most the end of the year 9999. */
  fromWall(wall: number): number;
}

const MOMENTS_KEPT = 5_000;

/** `zoneNow`: the zone's name, or a function if it may change. */
export function makeClubTime(zoneNow: string | (() => string)): ClubTime {
  const zone = typeof zoneNow === "string" ? () => zoneNow : zoneNow;
  // Screens show the same few moments again and again, and writing one costs as much as asking the database.
  let written = { zone: "", texts: new Map<number, string | null>() };
  const write = (at: number): string | null => {
    if (written.zone !== zone() || written.texts.size >= MOMENTS_KEPT) written = { zone: zone(), texts: new Map() };
    let text = written.texts.get(at);
    if (text === undefined) {
      text = local(at).toISO();
      written.texts.set(at, text);
    }
    return text;
  };
  const local = (at: number) => DateTime.fromMillis(at, { zone: zone() });
  const endOfDay = (day: string) =>
    DateTime.fromISO(day, { zone: zone() }).set({ hour: 23, minute: 59, second: 59, millisecond: 0 }).toMillis();
  // Of the club's zone and UTC, both used in answers, the one whose year ends first; cached because it costs as much as what it
  // bounds.
  let lastIn = { zone: "", at: 0 };
  const last = (): number => {
    if (lastIn.zone !== zone())
      lastIn = { zone: zone(), at: Math.min(endOfDay("9999-12-31"), Date.parse("9999-12-31T23:59:59Z")) };
    return lastIn.at;
  };
  return {
    readWritten: (value) =>
      Math.min(last(), /^\d{4}-\d\d-\d\d$/.test(value) ? endOfDay(value) : DateTime.fromISO(value).toMillis()),
    write: ((at: number | null | undefined) => (at == null ? null : write(at))) as ClubTime["write"],
    dayOf: (at, daysAfter = 0) => local(at).plus({ days: daysAfter }).toISODate() ?? "",
    zone,
    startOfHour: (at) => local(at).startOf("hour").toMillis(),
    startOfDay: (at) => local(at).startOf("day").toMillis(),
    startOfMonth: (at) => local(at).startOf("month").toMillis(),
    startOfNextMonth: (at) => local(at).startOf("month").plus({ months: 1 }).toMillis(),
    toWall: (at) => local(at).setZone("utc", { keepLocalTime: true }).toMillis(),
    fromWall: (wall) =>
      Math.min(last(), DateTime.fromMillis(wall, { zone: "utc" }).setZone(zone(), { keepLocalTime: true }).toMillis()),
  };
}
