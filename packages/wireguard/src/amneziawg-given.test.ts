import fc from "fast-check";
import { expect, test } from "vitest";
import { faultsOfGiven, givenProfile, sharedDifferences } from "./amneziawg-given.ts";
import { amneziaLines } from "./amneziawg-text.ts";
import { anyGenerated } from "./arbitraries.ts";

/** As AmneziaVPN made them in 2024. */
const FIRST = { jc: "4", jmin: "10", jmax: "50", s1: "86", s2: "57", h1: "11", h2: "12", h3: "13", h4: "14" };
const KEY = { header_protection_key: "ab".repeat(32) };

const faults = (parameters: Record<string, string>, mtu: number | null = null) => {
  const { fatal, bearable } = faultsOfGiven(givenProfile({ ...FIRST, ...parameters })!, mtu);
  const told = (list: typeof fatal) => [...new Set(list.map(({ field }) => field))];
  return { fatal: told(fatal), bearable: told(bearable) };
};

test("a generated profile has no fault", () => {
  fc.assert(
    fc.property(anyGenerated, (profile) => {
      expect(faultsOfGiven(profile, null)).toEqual({ fatal: [], bearable: [] });
    }),
  );
  expect(faults({})).toEqual({ fatal: [], bearable: [] });
});

test.each([
  ["junk of less than its least", { jmin: "60", jmax: "50" }, ["jmax"]],
  ["headers that overlap", { h2: "5-11" }, ["h2"]],
  ["a key without room for its nonce", { ...KEY, s1: "11", s2: "12", s3: "12", s4: "12" }, ["s1"]],
  ["a timer of nothing", { ...KEY, s1: "20", s2: "30", s3: "40", s4: "50", rekey_timeout: "0" }, ["rekey_timeout"]],
  ["padding that no packet has room for", { s4: "845" }, ["s4"]],
])("no engine runs with %s", (_, parameters, fields) => {
  expect(faults(parameters).fatal).toEqual(fields);
});

test.each([
  ["two messages of one size", { s1: "1", s2: "57" }, null, ["s2"]],
  ["WireGuard's own headers", { h1: "1", h2: "2", h3: "3", h4: "4" }, null, ["h1", "h2", "h3", "h4"]],
  ["headers of all 32 bits", { h4: "4000000000" }, null, ["h4"]],
  ["no junk", { jc: "0", jmin: "0", jmax: "0" }, null, ["jc", "jmin", "jmax"]],
  ["junk larger than a packet", { jmax: "1500" }, null, ["jmax"]],
  ["an MTU without room for the padding", { s4: "20" }, 1420, ["s4"]],
  ["3.1 without its key", { s3: "3", rekey_timeout: "3-7" }, null, ["header_protection_key"]],
  [
    "trailers over unequal padding",
    { ...KEY, s1: "20", s2: "30", s3: "20", s4: "20", random_trailers: "1" },
    null,
    ["s2"],
  ],
])("a tunnel that ran with it so far keeps running with %s", (_, parameters, mtu, fields) => {
  expect(faults(parameters, mtu)).toEqual({ fatal: [], bearable: fields });
});

test("two tunnels differ in what both ends share, whether a value is given or not", () => {
  expect(sharedDifferences(FIRST, { ...FIRST, jc: "9", i1: "<t>", s3: "0" })).toEqual([]);
  expect(sharedDifferences(FIRST, { ...FIRST, s1: "1", ...KEY })).toEqual(["s1", "header_protection_key"]);
  expect(sharedDifferences({}, { h1: "1", s4: "0" })).toEqual([]);
});

test("a file never has zero junk, which keeps an app's engine from starting", () => {
  const text = (parameters: Record<string, string>) =>
    amneziaLines(givenProfile({ ...FIRST, ...parameters })!).map(({ field, text }) => `${field.key} = ${text}`);
  expect(text({ jc: "0", jmin: "0" })).toEqual(expect.arrayContaining(["Jmax = 50", "S3 = 0", "H4 = 14"]));
  expect(text({ jc: "0", jmin: "0" }).join()).not.toMatch(/Jc|Jmin/);
});
