import fc from "fast-check";
import { expect, test } from "vitest";
import { quotaStage, quotaStageReached } from "./quota-rules.ts";

test.each([
  ["no notice at first", 0, null],
  ["nor just below 80 %", 799, null],
  ["at 80 % a warning", 800, "nearly"],
  ["to the last byte", 999, "nearly"],
  ["the last byte uses it up", 1_000, "used_up"],
  ["and more stays used up", 5_000, "used_up"],
])("%s", (_, used, stage) => {
  expect(quotaStage(used, 1_000)).toBe(stage);
});

test("a stage is reached once, however traffic is counted", () => {
  const steps = fc.array(fc.integer({ min: 0, max: 700 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(steps, (added) => {
      let used = 0;
      const reached = added.flatMap((bytes) => {
        const before = used;
        used += bytes;
        return quotaStageReached(before, used, 1_000) ?? [];
      });
      expect(new Set(reached).size).toBe(reached.length);
      expect(reached.at(-1) ?? null).toBe(quotaStage(used, 1_000));
    }),
  );
});
