import { expect, test } from "vitest";
import { addressesRunLow } from "./address-pool.ts";

test.each([
  [226, 253, false],
  [227, 253, true],
  [253, 253, true],
  [0, 5, false],
  [4, 5, true],
  [65_032, 65_533, false],
  [65_033, 65_533, true],
])("with %i of %i addresses taken the pool runs low: %s", (taken, capacity, low) => {
  expect(addressesRunLow(capacity - taken, capacity)).toBe(low);
});
