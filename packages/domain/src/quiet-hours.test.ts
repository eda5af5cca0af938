import { expect, test } from "vitest";
import { endOfQuiet } from "./quiet-hours.ts";

const at = (text: string) => Date.parse(`${text}Z`);
const written = (wall: number | null) => (wall === null ? null : new Date(wall).toISOString().slice(0, 16));

test.each([
  ["2026-11-22T22:59", null],
  ["2026-11-22T23:00", "2026-11-23T08:00"],
  ["2026-11-23T00:30", "2026-11-23T08:00"],
  ["2026-11-23T07:59", "2026-11-23T08:00"],
  ["2026-11-23T08:00", null],
])("of a night from 23 to 8, %s waits until %s", (moment, end) => {
  expect(written(endOfQuiet(at(moment), { from: 23, until: 8 }))).toBe(end);
});

test.each([
  ["2026-11-22T12:59", null],
  ["2026-11-22T13:00", "2026-11-22T15:00"],
  ["2026-11-22T15:00", null],
])("of a midday from 13 to 15, %s waits until %s", (moment, end) => {
  expect(written(endOfQuiet(at(moment), { from: 13, until: 15 }))).toBe(end);
});

test("equal hours mean no quiet hours", () => {
  expect(endOfQuiet(at("2026-11-22T08:00"), { from: 8, until: 8 })).toBeNull();
});
