import { expect, test } from "vitest";
import { makeLasting } from "./lasting.ts";

test("what is ahead of the clock is believed to be wrong after an hour of that, which starts again when the clock is set back", () => {
  let now = 1_000_000_000;
  const lasts = makeLasting({ now: () => new Date(now) });
  const after = (minutes: number, isAhead: boolean) => {
    now += minutes * 60_000;
    return lasts(isAhead);
  };
  expect([after(0, true), after(59, true), after(1, true)]).toEqual([false, false, true]);
  expect([after(0, false), after(0, true), after(30, true)]).toEqual([false, false, false]);
  // Set back: an hour by this clock starts.
  expect([after(-600, true), after(59, true), after(1, true)]).toEqual([false, false, true]);
});
