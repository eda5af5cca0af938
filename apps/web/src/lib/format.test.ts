import { afterEach, expect, test, vi } from "vitest";
import { dayText } from "./format.ts";
import { ru } from "./i18n/ru.ts";

afterEach(() => vi.unstubAllEnvs());

test.each([
  [
    "in spring, after a day of 23 hours",
    "2027-03-29T00:30",
    ["2027-03-28T00:00", "вчера"],
    ["2027-03-27T23:30", "27\u00a0марта"],
  ],
  [
    "in autumn, after a day of 25 hours",
    "2027-11-01T00:30",
    ["2027-10-31T00:30", "вчера"],
    ["2027-10-30T23:30", "30\u00a0октября"],
  ],
])("%s, yesterday is a day of the calendar", (_, now, ...days) => {
  vi.stubEnv("TZ", "Europe/Berlin");
  const nowMs = new Date(now).getTime();
  expect(dayText(now, nowMs, "ru", ru.age)).toBe("сегодня");
  for (const [at, text] of days) expect(dayText(at ?? "", nowMs, "ru", ru.age)).toBe(text);
});
