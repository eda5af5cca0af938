import { endWithout, grantedMonth, periodOf } from "@krug/domain/payment-rules";
import { describe, expect, test } from "vitest";
import { makeClubTime } from "../../../platform/club-time.ts";

const berlin = makeClubTime("Europe/Berlin");
const endOf = (day: string) => berlin.readWritten(day);
const shown = (at: number | null) =>
  at === null ? null : new Date(berlin.toWall(at)).toISOString().slice(0, 19).replace("T", " ");

describe("across a change of the clock a day still ends at its end", () => {
  test.each([
    ["into summer", "2026-03-15", "2026-04-15 23:59:59"],
    ["into winter", "2026-10-10", "2026-11-10 23:59:59"],
    ["to the very day it is put forward", "2026-02-28", "2026-03-28 23:59:59"],
    ["over the year's turn", "2026-12-31", "2027-01-31 23:59:59"],
  ])("a month %s", (_, end, until) => {
    const subscriptionEnd = endOf(end);
    const grant = grantedMonth({ now: subscriptionEnd - 1, subscriptionEnd, anchorDay: null }, berlin);
    expect(shown(grant.until)).toBe(until);
    expect(endWithout(grant, grant.until, berlin)).toBe(subscriptionEnd);
  });

  test("taking time back from an edited end leaves the end of a day, on either side of the change", () => {
    const subscriptionEnd = endOf("2026-02-28");
    const grant = grantedMonth({ now: 0, subscriptionEnd, anchorDay: 31 }, berlin);
    expect(shown(grant.until)).toBe("2026-03-31 23:59:59");
    expect(shown(endWithout(grant, endOf("2026-08-31"), berlin))).toBe("2026-07-31 23:59:59");
    expect(shown(endWithout(grant, endOf("2026-03-15"), berlin))).toBe("2026-02-12 23:59:59");
  });
});

test("the month begins at the club's midnight, not at Greenwich's", () => {
  const newYearInMoscow = Date.parse("2026-12-31T21:00:00Z");
  expect(periodOf(newYearInMoscow, makeClubTime("Europe/Moscow"))).toBe("2027-01");
  expect(periodOf(newYearInMoscow, makeClubTime("America/New_York"))).toBe("2026-12");
});

test("a subscription to the end of the year 9999 cannot be prolonged: the date could not be written", () => {
  const subscriptionEnd = endOf("9999-12-31");
  const { until } = grantedMonth({ now: 0, subscriptionEnd, anchorDay: null }, berlin);
  expect(until).toBe(subscriptionEnd);
});

/** Zones east and west with whole and fractional hours; clocks that change by an hour, by half an hour, and at midnight. */
const ZONES = [
  "Europe/Moscow",
  "Europe/Berlin",
  "America/New_York",
  "Asia/Kolkata",
  "Pacific/Kiritimati",
  "Pacific/Pago_Pago",
  "Australia/Lord_Howe",
  "Africa/Cairo",
  "America/Santiago",
];

describe.each(ZONES)("in %s", (zone) => {
  const club = makeClubTime(zone);
  const wall = (at: number) => new Date(club.toWall(at)).toISOString().slice(0, 19).replace("T", " ");

  test("a month begins at midnight and ends with its last second, also across the year's end", () => {
    for (let month = 0; month < 36; month++) {
      const begins = club.startOfMonth(Date.UTC(2026, month, 15));
      const next = club.startOfMonth(Date.UTC(2026, month + 1, 15));
      const period = new Date(Date.UTC(2026, month, 1)).toISOString().slice(0, 7);
      expect([period, periodOf(begins, club), periodOf(next - 1, club)]).toEqual([period, period, period]);
      expect(periodOf(begins - 1, club) < period && periodOf(next, club) > period).toBe(true);
    }
  });

  test("paid for three years, a subscription from the 31st ends on each month's last day; taking all of it back leaves nothing", () => {
    const first = club.readWritten("2025-12-31");
    let subscriptionEnd: number = first;
    let anchorDay: number | null = null;
    const grants: ReturnType<typeof grantedMonth>[] = [];
    for (let month = 1; month <= 36; month++) {
      const grant: ReturnType<typeof grantedMonth> = grantedMonth({ now: first - 1, subscriptionEnd, anchorDay }, club);
      const lastDay = new Date(Date.UTC(2025, 12 + month, 0)).toISOString().slice(0, 10);
      expect(wall(grant.until)).toBe(`${lastDay} 23:59:59`);
      grants.push(grant);
      ({ until: subscriptionEnd, anchorDay } = grant);
    }
    for (const grant of grants.toReversed()) subscriptionEnd = endWithout(grant, subscriptionEnd, club) ?? 0;
    expect(subscriptionEnd).toBe(first);
  });

  test("a late payment at any hour lasts to the end of the same day of the next month", () => {
    for (const day of ["2026-03-08", "2026-03-29", "2026-04-05", "2026-09-06", "2026-10-25", "2026-12-31"])
      for (const hour of [0, 1, 2, 3, 12, 23]) {
        const now = club.startOfDay(club.readWritten(day)) + hour * 3_600_000;
        const { until } = grantedMonth({ now, subscriptionEnd: null, anchorDay: null }, club);
        const [year = 0, month = 0, date = 0] = club.dayOf(now).split("-").map(Number);
        const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
        const expected = new Date(Date.UTC(year, month, Math.min(date, lastDay))).toISOString().slice(0, 10);
        expect([day, hour, wall(until)]).toEqual([day, hour, `${expected} 23:59:59`]);
      }
  });
});
