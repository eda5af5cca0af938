import { endWithout, grantedMonth, periodOf } from "@krug/domain/payment-rules";
import { describe, expect, test } from "vitest";
import { makeClubTime } from "../../platform/club-time.ts";

const berlin = makeClubTime("Europe/Berlin");
const endOf = (day: string) => berlin.readWritten(day);
const shown = (at: number | null) =>
  at === null ? null : new Date(berlin.toWall(at)).toISOString().slice(0, 19).replace("T", " ");

describe("where the clock is put forward and back, a day still ends at its end", () => {
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

  test("what is taken back of an edited end leaves the end of a day, on whichever side of the change", () => {
    const subscriptionEnd = endOf("2026-02-28");
    const grant = grantedMonth({ now: 0, subscriptionEnd, anchorDay: 31 }, berlin);
    expect(shown(grant.until)).toBe("2026-03-31 23:59:59");
    expect(shown(endWithout(grant, endOf("2026-08-31"), berlin))).toBe("2026-07-31 23:59:59");
    expect(shown(endWithout(grant, endOf("2026-03-15"), berlin))).toBe("2026-02-12 23:59:59");
  });
});

test("the month turns at the club's midnight, not at Greenwich's", () => {
  const newYearInMoscow = Date.parse("2026-12-31T21:00:00Z");
  expect(periodOf(newYearInMoscow, makeClubTime("Europe/Moscow"))).toBe("2027-01");
  expect(periodOf(newYearInMoscow, makeClubTime("America/New_York"))).toBe("2026-12");
});

test("a subscription to the end of the year 9999 is granted no further: it could not be written", () => {
  const subscriptionEnd = endOf("9999-12-31");
  const { until } = grantedMonth({ now: 0, subscriptionEnd, anchorDay: null }, berlin);
  expect(until).toBe(subscriptionEnd);
});
