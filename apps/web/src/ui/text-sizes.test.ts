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

test("the largest words fit the narrowest phone if the browser's own size is half as large again", () => {
  /** At 320 px, in which a headline's longest word has 288, and with 24 px. */
  const inPixels = (size: string): number => {
    const [, name, parts] = /^(min|clamp)\((.+)\)$/.exec(size) ?? [];
    if (parts === undefined) return Number.parseFloat(size) * (size.endsWith("vw") ? 3.2 : 24);
    const each = parts.split(/, (?![^(]*\))/).map(inPixels);
    const [least = 0, wish = 0, most = 0] = each;
    return name === "min" ? Math.min(...each) : Math.max(least, Math.min(wish, most));
  };
  const sizes = [...readFileSync(`${source}ui/tokens.css`, "utf8").matchAll(/--k-fs-[a-z]+: ([^;]+);/g)];
  expect(sizes.length).toBeGreaterThan(10);
  expect(sizes.filter(([, size = ""]) => !(inPixels(size) <= 40)).map(([declaration]) => declaration)).toEqual([]);
});

test("a line is as high as its letters need, at any size", () => {
  expect(declared(/(?<![\w-])line-height: [^;]+;/g, /: (?:[\d.]+|inherit|normal|var\(--epr-[\w-]+\));$/)).toEqual([]);
});

test("windows and containers are measured in letters too", () => {
  expect(declared(/@(?:media|container)[^{]*width[^{]*\{/g, /^[^\d]*[\d.]+em\) (?:and \([^)]*\) )?\{$/)).toEqual([]);
});
