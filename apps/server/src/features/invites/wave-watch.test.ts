import { expect, test } from "vitest";
import { makeWaveWatch } from "./wave-watch.ts";

test("fifty wrong codes within an hour warn once, and once more an hour later if they go on", () => {
  let now = 0;
  const warnings: object[] = [];
  const log = { debug() {}, info() {}, error() {}, warn: (details: object) => void warnings.push(details) };
  const note = makeWaveWatch({ now: () => new Date(now) }, log);
  const noteMany = (times: number) => {
    for (let n = 0; n < times; n++) note();
  };
  noteMany(49);
  expect(warnings).toHaveLength(0);
  note();
  noteMany(30);
  // Nothing of where they come from.
  expect(warnings).toEqual([{ wrongCodes: 50 }]);
  now += 3_600_000;
  noteMany(49);
  expect(warnings).toHaveLength(1);
  note();
  expect(warnings).toHaveLength(2);
});
