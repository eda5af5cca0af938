import { expect, test } from "vitest";
import { decimalOf, hundredthsOf } from "./money.ts";

test.each([
  ["300", 30_000],
  ["10.99", 1_099],
  ["0.05", 5],
  ["4.10", 410],
  ["9999999.99", 999_999_999],
])("%s is stored as %i hundredths and written back unchanged", (written, hundredths) => {
  expect(hundredthsOf(written)).toBe(hundredths);
  expect(decimalOf(hundredths)).toBe(written);
});

test("one digit after the point is tens of hundredths", () => {
  expect(hundredthsOf("4.1")).toBe(410);
});

test.each([
  [-30_000, "-300"],
  [-1_099, "-10.99"],
  [-5, "-0.05"],
])("%i hundredths that were taken back read as %s", (hundredths, written) => {
  expect(decimalOf(hundredths)).toBe(written);
});
