import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { packagedGeoFiles } from "../../../installation.ts";
import { parseHostingList } from "./hosting-list.ts";

test("the bundled list is readable, dated and has both kinds", () => {
  const { date, networks } = parseHostingList(readFileSync(packagedGeoFiles().hostingFile, "utf8"));
  expect(date).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  expect(networks.hosting.length).toBeGreaterThan(200);
  expect(networks.proxy.length).toBeGreaterThan(3);
});

test("comments and empty lines are skipped", () => {
  expect(parseHostingList("# a note\n\ndate 2026-01-02\n198.51.100.0/24 hosting A & B # note\n")).toEqual({
    date: "2026-01-02",
    networks: { hosting: ["198.51.100.0/24"], proxy: [] },
  });
});

test.each([
  ["198.51.100.0/24 hosting", "line 2: not 'network kind owner'"],
  ["198.51.100.1/24 hosting A", "line 2: should be 198.51.100.0/24"],
  ["198.51.100.0 hosting A", "line 2: should be 198.51.100.0/32"],
  ["198.51.100.0/33 hosting A", "line 2: no network"],
  ["999.1.1.0/24 hosting A", "line 2: no network"],
  ["198.51.100.0/24 cloud A", "line 2: no such kind"],
  ["8.0.0.0/8 hosting A", "line 2: too wide"],
  ["2000::/12 hosting A", "line 2: too wide"],
  ["1.2.3.0/24 hosting A\n1.2.3.0/24 proxy B", "line 3: said twice"],
  ["date 2026-01-03", "line 2: a second date"],
])("a list with %j is refused", (lines, why) => {
  expect(() => parseHostingList(`date 2026-01-02\n${lines}\n`)).toThrow(why);
});

test("a list without a date is refused", () => {
  expect(() => parseHostingList("1.2.3.0/24 hosting A\n")).toThrow("no date");
});
