import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { productFolder } from "./installation.ts";

const ROOT = productFolder();
const PAGES = [
  "README.md",
  "SECURITY.md",
  ...readdirSync(join(ROOT, "docs"))
    .filter(isPage)
    .map((name) => `docs/${name}`),
];
/** Pages that lead people through screens. In them what is bold and Russian is a name on a screen. */
const BY_SCREENS = ["docs/getting-started.md", "docs/member.md", "docs/troubleshooting.md"];
/** What stands on screens: every text in quotes in the files of the Russian words. */
const WORDS_FOLDERS = ["apps/web/src", "packages/domain/src"];

function isPage(name: string) {
  return name.endsWith(".md");
}

const read = (page: string) => readFileSync(join(ROOT, page), "utf8");
/** A page's text without its blocks of code. */
const prose = (page: string) => read(page).replace(/^```[\s\S]*?^```/gm, "");

/** The part of an address after '#' that GitHub gives a heading. */
const anchorOf = (heading: string) =>
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");

const anchorsOf = (page: string) =>
  [...prose(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading ?? ""));

const linksOf = (page: string) =>
  [...prose(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target ?? "").filter((to) => !/^[a-z]+:/.test(to));

test.each(PAGES)("%s: every file, picture and heading it links to exists", (page) => {
  const broken = linksOf(page).filter((link) => {
    const [path = "", anchor] = link.split("#");
    const target = path === "" ? page : relative(ROOT, join(ROOT, dirname(page), path));
    if (target.startsWith("..") || !existsSync(join(ROOT, target))) return true;
    return anchor !== undefined && !(isPage(target) && anchorsOf(target).includes(anchor));
  });
  expect(broken).toEqual([]);
});

test("every picture in docs/images is on a page", () => {
  const shown = PAGES.flatMap((page) => linksOf(page).map((link) => relative(ROOT, join(ROOT, dirname(page), link))));
  const pictures = readdirSync(join(ROOT, "docs", "images")).map((name) => `docs/images/${name}`);
  expect(pictures.filter((picture) => !shown.includes(picture))).toEqual([]);
});

/** Files of Russian words below a folder: `…words-ru.ts`, and those in `i18n/ru`. */
const wordsFiles = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .map((name) => join(ROOT, folder, name))
    .filter((path) => /(words-ru|notice-words|i18n\/ru\/[a-z-]+)\.ts$/.test(path) && statSync(path).isFile());

test.each(BY_SCREENS)("%s: what it calls a button or a screen stands there so", (page) => {
  const words = new Set(
    WORDS_FOLDERS.flatMap(wordsFiles).flatMap((path) =>
      [...readFileSync(path, "utf8").matchAll(/"([^"\n]+)"/g)].map(([, text]) => text),
    ),
  );
  const names = [...prose(page).matchAll(/\*\*([^*]+)\*\*/g)]
    .map(([, name = ""]) => name.replaceAll(/\s+/g, " "))
    .filter((name) => /[а-яё]/i.test(name));
  expect(names.length, "names were found at all").toBeGreaterThan(10);
  expect(names.filter((name) => !words.has(name))).toEqual([]);
});

test("every command that the pages name is one of the command line's, and is called as install.sh puts it there", () => {
  const usage = /const usage = `([^`]*)`/.exec(read("apps/server/src/cli.ts"))?.[1] ?? "";
  const commands = new Set([...usage.matchAll(/^ {2}([a-z][a-z0-9-]*)/gm)].map(([, name]) => name));
  const named = PAGES.flatMap((page) =>
    [...read(page).matchAll(/(?:^|`|&& |panel )krug ([a-z][a-z0-9-]*)/gm)].map(([, name = ""]) => name),
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !commands.has(name))).toEqual([]);
  expect(PAGES.filter((page) => /npm run krug -- [a-z]/.test(read(page)))).toEqual([]);
});
