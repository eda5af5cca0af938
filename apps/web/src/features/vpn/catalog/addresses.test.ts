import { expect, test } from "vitest";
import { readList } from "./addresses.ts";

test("each item is judged by itself; a resolver is an address and no network", () => {
  const text = "1.1.1.1, 999.1.1.1, 10.0.0.0/8\nexample.com, 1.2,fe80::1%eth0";
  const wrong = (kind: "service" | "dns") => readList(kind, text).wrong.map((item) => item.text);
  expect(wrong("service")).toEqual(["999.1.1.1", "example.com", "1.2", "fe80::1%eth0"]);
  expect(wrong("dns").sort()).toEqual(["1.2", "10.0.0.0/8", "999.1.1.1", "example.com", "fe80::1%eth0"]);
});

test("an address counts once, however it is written", () => {
  expect(readList("service", "10.0.0.5,10.0.0.5/32,2001:DB8::1,2001:db8::1/128,10.0.0.0/8,no").count).toBe(3);
  expect(readList("dns", "1.1.1.1,1.1.1.1,8.8.8.8").count).toBe(2);
});

const hosts = (count: number, of: (n: number) => string) => Array.from({ length: count }, (_, n) => of(n)).join("\n");

test("what counts is what a list merges to: 6,000 addresses of a few networks pass, 14,000 networks do not", () => {
  const few = readList(
    "service",
    hosts(6_000, (n) => `10.0.${n >> 8}.${n & 255}`),
  );
  expect(few).toMatchObject({ count: 6_000, networks: 7, tooMany: null });
  const many = readList(
    "service",
    hosts(14_000, (n) => `10.${n >> 8}.${n & 255}.1`),
  );
  expect(many.tooMany).toEqual({ count: 14_000, most: 5_000 });
  expect(
    readList(
      "dns",
      hosts(9, (n) => `10.0.0.${n}`),
    ).tooMany,
  ).toEqual({ count: 9, most: 8 });
});

test("more than the panel reads is sent as the networks that it is", () => {
  const { items, count } = readList(
    "service",
    hosts(32_768, (n) => `10.0.${n >> 8}.${n & 255}`),
  );
  expect([count, items]).toEqual([32_768, ["10.0.0.0/17"]]);
});

test("halves that are the whole internet together are known as that", () => {
  expect(readList("service", "0.0.0.0/1, 128.0.0.0/1, ::/1").mergedToWhole).toEqual([4]);
  expect(readList("service", "0.0.0.0/0").mergedToWhole).toEqual([]);
});
