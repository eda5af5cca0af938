import { expect, test } from "vitest";
import { makePace } from "./pace.ts";

test("a disk is slow after several slow commits within a minute, is reported once, and recovers after a minute without", () => {
  let now = 0;
  const told: (number | null)[] = [];
  const pace = makePace(() => now);
  pace.watch((longest) => told.push(longest));
  for (const ms of [700, 5, 900]) pace.committed(ms);
  expect([pace.longest(), told]).toEqual([null, []]);
  pace.committed(750);
  pace.committed(800);
  pace.committed(5);
  expect([pace.longest(), told]).toEqual([900, [900]]);
  now = 30_000;
  pace.committed(700);
  now = 89_000;
  // One slow commit is still recent: too few for slow, too many to report recovery.
  pace.committed(5);
  expect([pace.longest(), told]).toEqual([null, [900]]);
  now = 91_000;
  pace.committed(5);
  expect([pace.longest(), told]).toEqual([null, [900, null]]);
});
