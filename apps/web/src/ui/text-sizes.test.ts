import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { values } from "./theme-values.ts";

const source = `${import.meta.dirname}/../`;
const sheets = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".css"));

/** Declarations of all style sheets, as `file: declaration`, that match but aren't one of those allowed. */
const declared = (wanted: RegExp, allowed: RegExp): string[] =>
  sheets.flatMap((file) =>
    (readFileSync(source + file, "utf8").match(wanted) ?? [])
      .filter((declaration) => !allowed.test(declaration))
      .map((declaration) => `${file}: ${declaration}`),
  );

test("every text size is one of the theme's", () => {
  expect(sheets.length).toBeGreaterThan(50);
  expect(declared(/(?<![\w-])(?:font(?:-size)?|--[\w-]*fz): [^;]+;/g, /: (?:inherit|var\(--k-fs-[a-z]+\));$/)).toEqual(
    [],
  );
  for (const size of Object.values(values.fontSizes ?? {})) expect(size).toMatch(/^var\(--k-fs-[a-z]+\)$/);
});

test("text sizes follow the browser's own: none is in pixels", () => {
  const sizes = readFileSync(`${source}ui/tokens.css`, "utf8").match(/--k-fs-[a-z]+: [^;]+;/g) ?? [];
  expect(sizes.length).toBeGreaterThan(10);
  expect(sizes.filter((size) => !/rem[;,]/.test(size) || /\dpx/.test(size))).toEqual([]);
});

test("a line is as high as its letters need, at any size", () => {
  expect(declared(/(?<![\w-])line-height: [^;]+;/g, /: (?:[\d.]+|inherit|normal|var\(--epr-[\w-]+\));$/)).toEqual([]);
});

test("windows and containers are measured in letters too", () => {
  expect(declared(/@(?:media|container)[^{]*width[^{]*\{/g, /^[^\d]*[\d.]+em\) (?:and \([^)]*\) )?\{$/)).toEqual([]);
});
