import { expect, test } from "vitest";
import { makeReadingBudget } from "./reading-budget.ts";

test("viewers cause at most 40 readings a second, and a pause saves up no more than that", () => {
  let now = 0;
  const budget = makeReadingBudget(() => now);
  const taken = (tries: number) => Array.from({ length: tries }, budget.take).filter(Boolean).length;
  expect(taken(100)).toBe(40);
  now += 500;
  expect(taken(100)).toBe(20);
  now += 3_600_000;
  expect(taken(100)).toBe(40);
});
