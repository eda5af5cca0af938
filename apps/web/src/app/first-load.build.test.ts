import { existsSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const dist = fileURLToPath(new URL("../../dist/", import.meta.url));

/** Everything a browser fetches before a page is shown: what the built page names in its head. */
function firstLoad(page: string): string[] {
  const html = readFileSync(`${dist}${page}.html`, "utf8");
  return [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.(?:js|css))"/g)].map(([, file]) => file ?? "");
}

/** Bytes sent: of the compressed file if the build made one, otherwise of the file itself. */
const sentBytes = (file: string) => statSync(existsSync(`${dist}${file}.br`) ? `${dist}${file}.br` : dist + file).size;

/** Bytes of all of them. Also printed, so that a limit can follow what was saved. */
function weigh(what: string, files: readonly string[]): number {
  const total = files.reduce((sum, file) => sum + sentBytes(file), 0);
  console.info(`${what}: ${(total / 1000).toFixed(1)} kB in ${files.length} files`);
  return total;
}

test.each([
  ["the landing page", "landing", 124.1, 5],
  ["the sign-in", "login", 137.3, 7],
  ["the registration", "register", 157.4, 14],
  ["the dashboard", "dashboard", 143.6, 7],
])("the first load of %s (%s) stays under %s kB of brotli in %i files", (_, page, limit, most) => {
  const files = firstLoad(page);
  expect(files.some((file) => file.endsWith(".css"))).toBe(true);
  const total = weigh(page, files);
  expect(total).toBeLessThan(limit * 1000);
  expect(files.length).toBeLessThanOrEqual(most);
});

test.each([
  ["landing", "Войти"],
  ["login", "Пароль"],
  ["register", "Код приглашения"],
])("%s.html shows the page before any script runs, and takes no input until then", (page, words) => {
  const html = readFileSync(`${dist}${page}.html`, "utf8");
  const prepared = /<div id="prepared">([\s\S]*?)<\/div>\n/.exec(html)?.[1] ?? "";
  expect(prepared).toContain(words);
  const takers = prepared.match(/<(?:form|button|input)[\s>]/g);
  expect(prepared.match(/<(?:form|button|input) inert[\s>]/g)?.length).toBe(takers?.length);
  const styles = firstLoad(page)
    .filter((file) => file.endsWith(".css"))
    .map((file) => readFileSync(dist + file, "utf8"))
    .join("");
  // A separate build renders it: its class names must match the pages' style sheets.
  const own = [...prepared.matchAll(/class="([^"]*)"/g)].flatMap(([, names = ""]) => names.split(" "));
  const unknown = own.filter((name) => /^_\w+_\w+_\d+$/.test(name) && !styles.includes(`.${name}`));
  expect(own.some((name) => /^_\w+_\w+_\d+$/.test(name))).toBe(true);
  expect(unknown).toEqual([]);
});

interface Chunk {
  name?: string;
  file: string;
  css?: string[];
  imports?: string[];
  dynamicImports?: string[];
}
const chunks = () => JSON.parse(readFileSync(`${dist}.vite/manifest.json`, "utf8")) as Record<string, Chunk>;

/** A chunk and all its imports, by their keys. */
function needed(all: Record<string, Chunk>, key: string): string[] {
  const found = new Set([key]);
  for (const one of found) for (const imported of all[one]?.imports ?? []) found.add(imported);
  return [...found];
}

test("staff's list of members stays under 222 kB of brotli in 20 files", () => {
  const all = chunks();
  const staff = Object.keys(all).find((key) => all[key]?.name === "staff");
  if (!staff) throw new Error("the build has no file for staff");
  const loaded = needed(all, staff).flatMap((key) => [all[key]?.file ?? "", ...(all[key]?.css ?? [])]);
  const files = [...new Set([...firstLoad("index"), ...loaded])];
  const total = weigh("staff's list", files);
  expect(total).toBeLessThan(222_000);
  expect(files.length).toBeLessThanOrEqual(20);
});

test("nothing that a member opens loads the staff's file", () => {
  const all = chunks();
  const ofMember = ["dashboard", "register", "forms", "entrance"];
  const opened = new Set(Object.keys(all).filter((key) => ofMember.includes(all[key]?.name ?? "")));
  expect(opened.size).toBeGreaterThanOrEqual(ofMember.length);
  // The frame's own file links to the staff area, which asks for the password.
  for (const screen of opened)
    for (const key of needed(all, screen))
      for (const later of all[key]?.dynamicImports ?? [])
        if (all[later]?.name !== "staff" && !later.includes("/two-factor/")) opened.add(later);
  expect(opened.size).toBeGreaterThan(20);
  const loading = [...opened].filter((screen) => needed(all, screen).some((key) => all[key]?.name === "staff"));
  expect(loading).toEqual([]);
});

test("the page fetches nothing from a third party and runs no inline script", () => {
  const html = readFileSync(`${dist}index.html`, "utf8");
  expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  expect(html.match(/<script\b[^>]*>/g)?.every((tag) => tag.includes("src="))).toBe(true);
  expect(html).toMatch(/rel="preload"[^>]*onest-cyrillic/);
});

test("every text asset over 1 kB is in the build compressed both ways", () => {
  for (const file of firstLoad("login")) {
    if (readFileSync(dist + file).length <= 1024) continue;
    expect(readFileSync(`${dist}${file}.br`).length).toBeGreaterThan(0);
    expect(readFileSync(`${dist}${file}.gz`).length).toBeGreaterThan(0);
  }
});
