import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { watchShape } from "./json-shape.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const shapeOf = (text: string, depth = 4, values = 10) => watchShape({ depth, values })(bytes(text));

describe("a body is refused by its shape before it is parsed", () => {
  test.each([
    ["four deep", '{"a":[{"b":[1]}]}', null],
    ["five deep", '{"a":[{"b":[[1]]}]}', "tooDeep"],
    ["five deep and never closed", "[[[[[", "tooDeep"],
    ["wide, not deep", "[[],[],[]]", null],
    ["ten values", "[1,2,3,4,5,6,7,8,9]", null],
    ["more values", "[1,2,3,4,5,6,7,8,9,10]", "tooManyValues"],
    ["many empty lists", "[[],[],[],[],[],[]]", "tooManyValues"],
    ["brackets and commas in a text", '["[[[[[[,,,,,,,,,,,,,,"]', null],
    ["a text that ends in a backslash", '["\\\\",[[[[1]]]]]', "tooDeep"],
    ["a quote inside a text", '["\\"[[[[[[[[[[[[[[[["]', null],
    ["no JSON", '"""', null],
  ])("%s", (_, text, found) => {
    expect(shapeOf(text)).toBe(found);
  });
});

const countOf = (value: unknown): number =>
  typeof value === "object" && value !== null
    ? Object.values(value).reduce((sum: number, inner) => sum + Math.max(1, countOf(inner)), 1)
    : 1;
const depthOf = (value: unknown): number =>
  typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

test("accepted text never exceeds the depth and size bounds, however it is split into pieces", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), fc.integer({ min: 1, max: 7 }), (text, size) => {
      const most = { depth: 3, values: 12 };
      const whole = bytes(text);
      const watch = watchShape(most);
      let found: string | null = null;
      for (let at = 0; at < whole.length && found === null; at += size) found = watch(whole.subarray(at, at + size));
      expect(found).toBe(watchShape(most)(whole));
      const value: unknown = JSON.parse(text);
      expect(found === "tooDeep" || found === "tooManyValues" || depthOf(value) <= most.depth).toBe(true);
      if (found === null) expect(countOf(value)).toBeLessThanOrEqual(most.values);
      if (depthOf(value) > most.depth) expect(found).not.toBeNull();
    }),
  );
});
