import { expect, test } from "vitest";
import { countOf, itemsOf, wrongItems } from "./addresses.ts";

test.each([
  ["1.1.1.1, 10.0.0.0/8 ,, 2001:db8::/32", ["1.1.1.1", "10.0.0.0/8", "2001:db8::/32"]],
  ["1.1.1.1\n8.8.8.8,\n", ["1.1.1.1", "8.8.8.8"]],
  [" , ", []],
])("a list is parted by commas and line ends, and trimmed: %j", (text, items) => {
  expect(itemsOf(text)).toEqual(items);
});

test("each item is judged by itself; a resolver is an address and no network", () => {
  const items = ["1.1.1.1", "999.1.1.1", "10.0.0.0/8", "example.com", "1.2", "fe80::1%eth0"];
  expect(wrongItems("service", items)).toEqual(["999.1.1.1", "example.com", "1.2", "fe80::1%eth0"]);
  expect(wrongItems("dns", items)).toEqual(["999.1.1.1", "10.0.0.0/8", "example.com", "1.2", "fe80::1%eth0"]);
});

test("an address counts once, however it is written", () => {
  expect(countOf("service", ["10.0.0.5", "10.0.0.5/32", "2001:DB8::1", "2001:db8::1/128", "10.0.0.0/8", "no"])).toBe(3);
  expect(countOf("dns", ["1.1.1.1", "1.1.1.1", "8.8.8.8"])).toBe(2);
});
