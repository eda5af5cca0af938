import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { productFolder } from "./installation.ts";

const ROOT = productFolder();
const PAGES = [
  "README.md",
  "SECURITY.md",
  ...["docs", "docs/adr"].flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter(isPage)
      .map((name) => `${folder}/${name}`),
  ),
];
/** Pages that guide people through screens. Bold Russian text in them is a name on a screen. */
const BY_SCREENS = ["docs/getting-started.md", "docs/member.md", "docs/troubleshooting.md"];
/** Texts on screens: every quoted text in the files of Russian words. */
const WORDS_FOLDERS = ["apps/web/src", "packages/domain/src"];

function isPage(name: string) {
  return name.endsWith(".md");
}

const read = (page: string) => readFileSync(join(ROOT, page), "utf8");
/** A page's text without code blocks. */
const prose = (page: string) => read(page).replace(/^```[\s\S]*?^```/gm, "");

/** The anchor that GitHub gives a heading. */
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
    .filter((path) => /(words-ru|notices\/[a-z]+|i18n\/ru\/[a-z-]+)\.ts$/.test(path) && statSync(path).isFile());

test.each(BY_SCREENS)("%s: every button or screen it names exists under that name", (page) => {
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

test("every command the pages name exists, and is called by the name that install.sh gives it", () => {
  const usage = /const usage = `([^`]*)`/.exec(read("apps/server/src/cli-words-en.ts"))?.[1] ?? "";
  const commands = new Set([...usage.matchAll(/^ {2}([a-z][a-z0-9-]*)/gm)].map(([, name]) => name));
  const named = PAGES.flatMap((page) =>
    [...read(page).matchAll(/(?:^|`|&& |panel )krug ([a-z][a-z0-9-]*)/gm)].map(([, name = ""]) => name),
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !commands.has(name))).toEqual([]);
  expect(PAGES.filter((page) => /npm run krug -- [a-z]/.test(read(page)))).toEqual([]);
});

/* ADRs: docs/writing.md says how to write one. */

const ADRS = readdirSync(join(ROOT, "docs", "adr"))
  .filter((name) => /^\d{4}-/.test(name))
  .sort();

/** An ADR's first lines: '# 44. Keep both places …', then 'Accepted, 2026-11-22.' with what it replaces or what replaced it. */
function headOf(name: string) {
  const head =
    /^# (\d+)\. (.+)\n\n((Accepted|Superseded by \[ADR \d+\]\([^)]+\)), (\d{4}-\d\d-\d\d)\.(?: ((?:.+\n)+))?)/.exec(
      read(`docs/adr/${name}`),
    );
  if (head === null) return undefined;
  const [, number = "", title = "", , status = "", date = "", more = ""] = head;
  const note = more.trim().replaceAll("\n", " ").replace(/\.$/, "");
  return { number: Number(number), title, status: note === "" ? status : `${status}. ${note}`, date };
}

test.each(ADRS)("%s has its number, a title, a status and a date, in 40 lines", (name) => {
  expect(headOf(name), "its first lines are '# N. Title', an empty one, 'Accepted, YYYY-MM-DD.'").toBeDefined();
  expect(headOf(name)?.number).toBe(Number(name.slice(0, 4)));
  expect(read(`docs/adr/${name}`).trimEnd().split("\n").length).toBeLessThanOrEqual(40);
});

/** `npx vitest run --project rules docs --update` writes the list. */
test("docs/adr/README.md lists every ADR", async () => {
  const rows = ADRS.map((name) => ({ name, head: headOf(name) }))
    .map(({ name, head }) => `| [${head?.number}](${name}) | ${head?.title} | ${head?.date} | ${head?.status} |`)
    .join("\n");
  const index = `# Decisions about the design

Each page is one choice that could have been made otherwise: context, decision, what was not chosen, consequences. How to write one:
[writing.md](../writing.md). This list is generated: \`npx vitest run --project rules docs --update\`.

| Number | Decision | Date | Status |
|---|---|---|---|
${rows}
`;
  await expect(index).toMatchFileSnapshot(join(ROOT, "docs", "adr", "README.md"));
});

const SOURCES = ["apps", "packages", "e2e", "lab"].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.(ts|tsx|sql|pl|sh)$/.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .filter((path) => !/node_modules|dist\//.test(path)),
);

test("every section of the specification and of the decisions, and every ADR, that the sources cite exists", () => {
  const [member = "", operator = ""] = read("docs/specification.md")
    .split(/^## .*$/m)
    .slice(1);
  const sections = { member, operator };
  const rowOf = (side: "member" | "operator", section: string) =>
    new RegExp(`^\\| ([\\d, ]+, )?${section}[, ]`, "m").test(sections[side]);
  const decisions = read("docs/decisions.md");
  const wrong = SOURCES.flatMap((path) => {
    const source = read(path);
    const gone = [
      ...[...source.matchAll(/(member|operator)'s side (\d+)/g)].filter(
        ([, side, section = ""]) => !rowOf(side as "member" | "operator", section),
      ),
      ...[...source.matchAll(/decisions, section (\d+)/g)].filter(
        ([, section]) => !decisions.includes(`\n## ${section}. `),
      ),
      ...[...source.matchAll(/\bADR (\d+)|docs\/adr\/(\d{4})/g)].filter(
        ([, number = "", file = number.padStart(4, "0")]) => !ADRS.some((name) => name.startsWith(file)),
      ),
      ...source.matchAll(/(user|admin)-side, section/g),
    ];
    return gone.map(([cited]) => `${path}: ${cited}`);
  });
  expect(SOURCES.length).toBeGreaterThan(1000);
  expect(wrong).toEqual([]);
});
