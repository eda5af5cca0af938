import * as net from "node:net";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isIP } from "./ip.ts";

/** Random pieces of addresses: most results are almost valid. */
const nearly = fc
  .array(fc.constantFrom("1", "0", "01", "255", "256", "ffff", "10000", "g", ".", ":", "::", " ", "-"), {
    maxLength: 16,
  })
  .map((parts) => parts.join(""));
const v4 = fc.ipV4();
const v6 = fc.ipV6();
const noZone = fc.string({ maxLength: 12 }).filter((text) => !text.includes("%"));

test("an address is what node:net says it is", () => {
  fc.assert(
    fc.property(fc.oneof(nearly, v4, v6, noZone), (text) => {
      expect([text, isIP(text)]).toEqual([text, net.isIP(text)]);
    }),
    { numRuns: 20_000 },
  );
});

test.each([
  ["1.2.3.4", 4],
  ["1.2.3.4.", 0],
  ["1.2.3", 0],
  ["::", 6],
  ["::1", 6],
  ["1::", 6],
  ["1:2:3:4:5:6:7:8", 6],
  ["1:2:3:4:5:6:7::", 6],
  ["1:2:3:4:5:6:7:8::", 0],
  ["::ffff:1.2.3.4", 6],
  ["1.2.3.4::", 0],
  ["1:2:3:4:5:6:1.2.3.4", 6],
  ["1:2:3:4:5:6:7:1.2.3.4", 0],
  [":::", 0],
  [":1", 0],
  ["", 0],
])("%j is an address of version %i", (text, family) => {
  expect(isIP(text)).toBe(family);
  expect(net.isIP(text)).toBe(family);
});

test("an address with a zone is invalid: it has meaning on one machine only", () => {
  expect(isIP("fe80::1%eth0")).toBe(0);
});
