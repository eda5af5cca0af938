import { expect, test } from "vitest";
import { addressesAfter } from "./names.ts";

test("a name keeps 256 addresses, however many its resolver answers, IPv4 first", () => {
  const v4 = Array.from({ length: 4_096 }, (_, index) => `10.0.${index >> 8}.${index & 255}`);
  const v6 = Array.from({ length: 2_000 }, (_, index) => `2001:db8::${(index + 1).toString(16)}`);
  const kept = addressesAfter([], { v4, v6 });
  expect(kept).toHaveLength(256);
  expect(kept.every((address) => v4.includes(address))).toBe(true);
  expect(addressesAfter([], { v4: v4.slice(0, 2), v6: v6.slice(0, 2) })).toEqual([
    ...v4.slice(0, 2),
    "2001:db8::1",
    "2001:db8::2",
  ]);
});
