import fc from "fast-check";
import { expect, test } from "vitest";
import { bytesOf, gigabytesOf, isGigabytes } from "./gigabytes.ts";

const GIB = 1024 ** 3;

test("saving an unchanged form of any number of bytes changes nothing", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 50 }), (bytes) => {
      expect(bytesOf(gigabytesOf(bytes))).toBe(bytes);
    }),
  );
});

test("what a person typed is shown as they typed it", () => {
  for (const typed of ["1", "1.4", "0.01", "1048576", "99.99"]) {
    expect(isGigabytes(typed)).toBe(true);
    expect(gigabytesOf(bytesOf(typed))).toBe(typed);
  }
  expect([gigabytesOf(10), gigabytesOf(GIB + 1)]).toEqual(["0.000000009", "1.000000001"]);
});
