import { expect, test } from "vitest";
import { linesUpTo } from "./scale.ts";

const GB = 1024 ** 3;

test.each([
  [0, [0, 1024]],
  [3.2 * GB, [0, GB, 2 * GB, 3 * GB, 4 * GB]],
  [1.1 * GB, [0, 0.5 * GB, GB, 1.5 * GB]],
  [71 * GB, [0, 20 * GB, 40 * GB, 60 * GB, 80 * GB]],
  [1000 * GB, [0, 256 * GB, 512 * GB, 768 * GB, 1024 * GB]],
])("a chart of %d bytes has round lines", (most, lines) => {
  expect(linesUpTo(most)).toEqual(lines);
});

test.each([
  [0, [0, 1_000]],
  [34_000_000, [0, 10_000_000, 20_000_000, 30_000_000, 40_000_000]],
  [900_000, [0, 250_000, 500_000, 750_000, 1_000_000]],
])("a chart of %d bits per second has round lines", (most, lines) => {
  expect(linesUpTo(most, 1000)).toEqual(lines);
});

test("the top line is never below what is drawn, and there are never more than five lines", () => {
  for (let most = 1; most < 1e15; most = Math.ceil(most * 1.37)) {
    const lines = linesUpTo(most);
    expect([lines.length <= 5, (lines.at(-1) ?? 0) >= most, most]).toEqual([true, true, most]);
  }
});
