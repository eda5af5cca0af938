import { expect, test } from "vitest";
import { counter, countText } from "./plural.ts";

test.each([
  [0, "0", "0"],
  [9_999, "9999", "9999"],
  [10_000, "10\u00a0000", "10,000"],
  [1_234_567, "1\u00a0234\u00a0567", "1,234,567"],
])("counts of 10,000 or more have a thousands separator, on one line: %d", (count, ru, en) => {
  expect([countText("ru", count), countText("en", count)]).toEqual([ru, en]);
});

test("the same with the noun", () => {
  const ru = counter("ru", { one: "устройство", few: "устройства", many: "устройств", other: "устройства" });
  const en = counter("en", { one: "device", other: "devices" });
  expect([ru(5), ru(12_341), en(12_341)]).toEqual([
    "5\u00a0устройств",
    "12\u00a0341\u00a0устройство",
    "12,341\u00a0devices",
  ]);
});
