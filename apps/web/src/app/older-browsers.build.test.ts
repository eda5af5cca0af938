import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const dist = fileURLToPath(new URL("../../dist/", import.meta.url));
/** This build's files: the folder may still have an earlier build's, for open pages. */
const manifest = JSON.parse(readFileSync(`${dist}.vite/manifest.json`, "utf8")) as Record<string, { file: string }>;
const scripts = [...new Set(Object.values(manifest).map(({ file }) => file))].filter((file) => file.endsWith(".js"));

/** Syntax that no polyfill can add: Safari before 16.4 refuses the whole file (ADR 120). */
const UNREADABLE = {
  "lookbehind in a regular expression": /\(\?<[=!]/,
  "a static block of a class": /[{;}]static\{/,
  "the flag v of a regular expression": /RegExp\([^()]*,\s*[`"'][dgimsuy]*v/,
};

test.each(Object.entries(UNREADABLE))("no script has %s", (_, pattern) => {
  expect(scripts.length).toBeGreaterThan(100);
  expect(scripts.filter((file) => pattern.test(readFileSync(dist + file, "utf8")))).toEqual([]);
});
