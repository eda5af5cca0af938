import { expect, test } from "vitest";
import { isToldToo, isToSwitchOff, isToTell, toldFrom, type Unseen } from "./dormancy.ts";

/** A device's days, with the setting of each. */
function live(settings: readonly number[]) {
  let toldAt: number | null = null;
  const told: number[] = [];
  for (const [at, offAfter] of settings.entries()) {
    const unseen: Unseen = { days: at + 1, toldAt };
    if (unseen.days < toldFrom(offAfter)) toldAt = null;
    if (isToSwitchOff({ ...unseen, toldAt }, offAfter)) return { told, off: unseen.days };
    if (!isToTell({ ...unseen, toldAt }, offAfter)) continue;
    toldAt = unseen.days;
    told.push(unseen.days);
  }
  return { told, off: null };
}
const days = (count: number, offAfter: number) => Array<number>(count).fill(offAfter);

test("a device is switched off on the day that was set, with a notice 14 days before", () => {
  expect(live(days(400, 30))).toEqual({ told: [16], off: 30 });
  expect(live(days(400, 90))).toEqual({ told: [76], off: 90 });
});

test("whatever the setting becomes, nobody is switched off without 14 days after a notice that still holds", () => {
  expect(live([...days(80, 365), ...days(400, 30)])).toEqual({ told: [81], off: 95 });
  expect(live([...days(20, 30), ...days(400, 365)]), "a notice a year early is void").toEqual({
    told: [16, 351],
    off: 365,
  });
  expect(live([...days(20, 30), ...days(400, 31)])).toEqual({ told: [16], off: 31 });
});

test("a device that would be announced within a week is in the same notice, and has its whole time", () => {
  expect(isToldToo({ days: 9, toldAt: null }, 30)).toBe(true);
  expect(isToldToo({ days: 8, toldAt: null }, 30)).toBe(false);
  expect(isToldToo({ days: 9, toldAt: 9 }, 30)).toBe(false);
  expect(isToSwitchOff({ days: 29, toldAt: 9 }, 30)).toBe(false);
  expect(isToSwitchOff({ days: 30, toldAt: 9 }, 30)).toBe(true);
});
