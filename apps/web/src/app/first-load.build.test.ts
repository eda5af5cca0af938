import { existsSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const dist = fileURLToPath(new URL("../../dist/", import.meta.url));

/** Everything a browser fetches before a page stands: what the page that the build made for it names in its head. */
function firstLoad(page: string): string[] {
  const html = readFileSync(`${dist}${page}.html`, "utf8");
  return [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.(?:js|css))"/g)].map(([, file]) => file ?? "");
}

/** As it is sent: compressed where the build did so, as it is where it is too small for that. */
const sentBytes = (file: string) => statSync(existsSync(`${dist}${file}.br`) ? `${dist}${file}.br` : dist + file).size;

test.each([
  ["the landing page", "landing", 165],
  ["the sign-in", "login", 165],
  ["the registration", "register", 165],
  ["the dashboard", "dashboard", 230],
])("the first load of %s (%s) stays under %i kB of brotli", (_, page, limit) => {
  const files = firstLoad(page);
  expect(files.some((file) => file.endsWith(".css"))).toBe(true);
  const total = files.reduce((sum, file) => sum + sentBytes(file), 0);
  console.info(`${page}: ${(total / 1000).toFixed(1)} kB in ${files.length} files`);
  expect(total).toBeLessThan(limit * 1000);
});

test("the page fetches nothing from a third party and runs no inline script", () => {
  const html = readFileSync(`${dist}index.html`, "utf8");
  expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  expect(html.match(/<script\b[^>]*>/g)?.every((tag) => tag.includes("src="))).toBe(true);
  expect(html).toMatch(/rel="preload"[^>]*onest-cyrillic/);
});

test("every text asset over 1 kB lies there compressed both ways", () => {
  for (const file of firstLoad("login")) {
    if (readFileSync(dist + file).length <= 1024) continue;
    expect(readFileSync(`${dist}${file}.br`).length).toBeGreaterThan(0);
    expect(readFileSync(`${dist}${file}.gz`).length).toBeGreaterThan(0);
  }
});
