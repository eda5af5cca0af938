import { expect, test } from "vitest";
import { type Cliff, cliffIn, isOver, REACH_STEP_MS, type ReachSample } from "./outage-detection.ts";

const START = 1_000 * REACH_STEP_MS;
/** One sample every five minutes; null: the panel was stopped. */
const looks = (online: readonly (number | null)[], expected = 40): ReachSample[] =>
  online.flatMap((count, place) =>
    count === null ? [] : [{ at: START + place * REACH_STEP_MS, expected, online: count }],
  );
const at = (place: number) => START + place * REACH_STEP_MS;

test("devices that go at once are a cliff at the second sample, dated from the first", () => {
  expect(cliffIn(looks([30, 31, 30, 4]))).toBeNull();
  expect(cliffIn(looks([30, 31, 30, 4, 3]))).toEqual({ since: at(3), share: 31 / 40 });
});

test.each([
  ["a night: each look one less", Array.from({ length: 31 }, (_, place) => 30 - place)],
  ["one odd look", [30, 30, 2, 30]],
  ["one odd look just now", [30, 30, 30, 2]],
  ["half and a little more stay", [30, 30, 16, 16]],
  ["a club that was never on line", [0, 0, 0, 0]],
  ["the panel was stopped meanwhile", [30, 30, null, null, null, null, null, null, null, null, 3, 3]],
  ["the panel was stopped between the two last looks", [30, 30, 3, null, null, 3]],
  ["more come", [3, 3, 30, 30]],
])("%s is not a cliff", (_, online) => {
  expect(cliffIn(looks(online))).toBeNull();
});

test("few devices go by themselves: fewer than five are no cliff", () => {
  expect(cliffIn(looks([4, 4, 0, 0], 5))).toBeNull();
  expect(cliffIn(looks([5, 5, 0, 0], 5))).not.toBeNull();
});

test("devices that moved elsewhere are expected there and missed nowhere", () => {
  const samples = [...looks([30, 30])].concat([2, 3].map((place) => ({ at: at(place), expected: 8, online: 6 })));
  expect(cliffIn(samples)).toBeNull();
});

test("it is over when most are back for two samples, or nobody expects them any more", () => {
  const cliff: Cliff = { since: START, share: 0.75 };
  expect(isOver(cliff, looks([3, 25]))).toBe(false);
  expect(isOver(cliff, looks([25, 25]))).toBe(true);
  expect(isOver(cliff, looks([12, 12]))).toBe(false);
  expect(isOver(cliff, looks([]))).toBe(false);
  expect(isOver({ ...cliff, since: START - 24 * 12 * REACH_STEP_MS }, looks([3]))).toBe(true);
});
