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
  ["the landing page", "landing", 129, 5],
  ["the sign-in", "login", 143, 7],
  ["the registration", "register", 162, 14],
  ["the dashboard", "dashboard", 148, 7],
])("the first load of %s (%s) stays under %i kB of brotli in %i files", (_, page, limit, most) => {
  const files = firstLoad(page);
  expect(files.some((file) => file.endsWith(".css"))).toBe(true);
  const total = files.reduce((sum, file) => sum + sentBytes(file), 0);
  console.info(`${page}: ${(total / 1000).toFixed(1)} kB in ${files.length} files`);
  expect(total).toBeLessThan(limit * 1000);
  expect(files.length).toBeLessThanOrEqual(most);
});

test.each([
  ["landing", "Войти"],
  ["login", "Пароль"],
  ["register", "Код приглашения"],
])("%s.html shows the page before any script runs, and takes no letter until then", (page, words) => {
  const html = readFileSync(`${dist}${page}.html`, "utf8");
  const prepared = /<div id="prepared">([\s\S]*?)<\/div>\n/.exec(html)?.[1] ?? "";
  expect(prepared).toContain(words);
  const takers = prepared.match(/<(?:form|button|input)[\s>]/g);
  expect(prepared.match(/<(?:form|button|input) inert[\s>]/g)?.length).toBe(takers?.length);
  const styles = firstLoad(page)
    .filter((file) => file.endsWith(".css"))
    .map((file) => readFileSync(dist + file, "utf8"))
    .join("");
  // A separate build renders it: its class names must be those of the pages' style sheets.
  const own = [...prepared.matchAll(/class="([^"]*)"/g)].flatMap(([, names = ""]) => names.split(" "));
  const unknown = own.filter((name) => /^_\w+_\w+_\d+$/.test(name) && !styles.includes(`.${name}`));
  expect(own.some((name) => /^_\w+_\w+_\d+$/.test(name))).toBe(true);
  expect(unknown).toEqual([]);
});

test("nothing that a member opens loads staff's file", () => {
  interface Chunk {
    name?: string;
    imports?: string[];
    dynamicImports?: string[];
  }
  const chunks = JSON.parse(readFileSync(`${dist}.vite/manifest.json`, "utf8")) as Record<string, Chunk>;
  const needed = (key: string) => {
    const all = new Set([key]);
    for (const one of all) for (const imported of chunks[one]?.imports ?? []) all.add(imported);
    return [...all];
  };
  const ofMember = ["dashboard", "register", "forms", "entrance"];
  const opened = new Set(Object.keys(chunks).filter((key) => ofMember.includes(chunks[key]?.name ?? "")));
  expect(opened.size).toBeGreaterThanOrEqual(ofMember.length);
  // The frame's own file knows the way to staff's area, and that asks for the password.
  for (const screen of opened)
    for (const key of needed(screen))
      for (const later of chunks[key]?.dynamicImports ?? [])
        if (chunks[later]?.name !== "staff" && !later.includes("/two-factor/")) opened.add(later);
  expect(opened.size).toBeGreaterThan(20);
  const loading = [...opened].filter((screen) => needed(screen).some((key) => chunks[key]?.name === "staff"));
  expect(loading).toEqual([]);
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
