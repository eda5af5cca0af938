import { expect, test } from "vitest";
import { csvText, everyRow } from "./csv.ts";

const columns = [
  { title: "Имя", text: (row: { name: string; bytes: number }) => row.name },
  { title: "Трафик", text: (row: { name: string; bytes: number }) => row.bytes },
];

test.each([
  ["=HYPERLINK(1)", "'=HYPERLINK(1)"],
  ["+7 900", "'+7 900"],
  ["-1", "'-1"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\t=1", "'\t=1"],
  ["＝1", "'＝1"],
  ['Анна "Ян"', '"Анна ""Ян"""'],
  ["а;б", '"а;б"'],
  ["a=b", "a=b"],
])("a name cannot become a formula or break a row: %j", (name, written) => {
  expect(csvText(columns, [{ name, bytes: -1 }], "ru")).toBe(`\ufeffИмя;Трафик\r\n${written};-1\r\n`);
});

test("a number has the decimal sign of the language: 10.99 would be a month to a Russian spreadsheet", () => {
  const sums = [{ name: "а", bytes: 10.99 }];
  expect(csvText(columns, sums, "ru")).toContain("а;10,99");
  expect(csvText(columns, sums, "en")).toContain("а,10.99");
});

test("English files separate columns with commas", () => {
  expect(csvText(columns, [{ name: "a,b", bytes: 1 }], "en")).toBe('\ufeffИмя,Трафик\r\n"a,b",1\r\n');
});

test("a file has all pages of a list, in order", async () => {
  const pages: Record<string, { rows: number[]; next: string | null }> = {
    "": { rows: [1, 2], next: "b" },
    b: { rows: [3], next: "c" },
    c: { rows: [], next: null },
  };
  expect(await everyRow(async (after) => pages[after ?? ""] ?? { rows: [], next: null })).toEqual([1, 2, 3]);
});
