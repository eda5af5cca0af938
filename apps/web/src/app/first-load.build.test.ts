import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";
import { expect, test } from "vitest";

const dist = fileURLToPath(new URL("../../dist/", import.meta.url));

interface Chunk {
  file: string;
  css?: string[];
  imports?: string[];
}

/** Everything the browser fetches before a page stands: the entry, the screen's own chunk, their imports, all CSS. */
function firstLoad(screen: string): string[] {
  const manifest = JSON.parse(readFileSync(`${dist}.vite/manifest.json`, "utf8")) as Record<string, Chunk>;
  const files = new Set<string>();
  const seen = new Set<string>();
  const visit = (key: string) => {
    const chunk = manifest[key];
    if (!chunk) throw new Error(`The build has no ${key}: run it first, or the screen has moved`);
    if (seen.has(key)) return;
    seen.add(key);
    files.add(chunk.file);
    for (const css of chunk.css ?? []) files.add(css);
    for (const imported of chunk.imports ?? []) visit(imported);
  };
  visit("index.html");
  visit(screen);
  return [...files];
}

const compressed = (file: string) =>
  brotliCompressSync(readFileSync(dist + file), { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length;

const LIMIT_BYTES = 165_000;

test.each([
  ["the landing page", "src/features/landing/landing.tsx"],
  ["the sign-in", "src/features/auth/login.tsx"],
])("the first load of %s stays under 165 kB of brotli", (name, screen) => {
  const files = firstLoad(screen);
  expect(files.some((file) => file.endsWith(".css"))).toBe(true);
  const total = files.reduce((sum, file) => sum + compressed(file), 0);
  console.info(`${name}: ${(total / 1000).toFixed(1)} kB in ${files.length} files`);
  expect(total).toBeLessThan(LIMIT_BYTES);
});

test("the page fetches nothing from a third party and runs no inline script", () => {
  const html = readFileSync(`${dist}index.html`, "utf8");
  expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  expect(html.match(/<script\b[^>]*>/g)?.every((tag) => tag.includes("src="))).toBe(true);
  expect(html).toMatch(/rel="preload"[^>]*onest-cyrillic/);
});

test("every text asset over 1 kB lies there compressed both ways", () => {
  for (const file of firstLoad("src/features/auth/login.tsx")) {
    if (readFileSync(dist + file).length <= 1024) continue;
    expect(readFileSync(`${dist}${file}.br`).length).toBeGreaterThan(0);
    expect(readFileSync(`${dist}${file}.gz`).length).toBeGreaterThan(0);
  }
});
