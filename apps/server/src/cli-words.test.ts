import { expect, test } from "vitest";
import { checkWordsEn } from "./check/words-en.ts";
import { checkWordsRu } from "./check/words-ru.ts";
import { cliWords, terminalLanguage } from "./cli-words.ts";
import { movingEn } from "./moving/words-en.ts";
import { movingRu } from "./moving/words-ru.ts";

test.each([
  [{ LANG: "ru_RU.UTF-8" }, "ru"],
  [{ LANG: "ru" }, "ru"],
  [{ LANG: "ru_UA.KOI8-U" }, "ru"],
  [{ LC_ALL: "C", LANG: "ru_RU.UTF-8" }, "en"],
  [{ LC_ALL: "", LC_MESSAGES: "ru_RU", LANG: "de_DE" }, "ru"],
  [{ LANG: "run_BI" }, "en"],
  [{}, "en"],
])("the terminal's language comes from its locale: %o", (environment, language) => {
  expect(terminalLanguage(environment)).toBe(language);
});

test("both languages have the same commands and options", () => {
  const named = ({ usage }: { usage: string }) => [
    [...usage.matchAll(/^ {2}([a-z][a-z0-9-]*)/gm)].map(([, name]) => name),
    [...usage.matchAll(/--[a-z-]+/g)].map(([option]) => option).sort(),
  ];
  expect(named(cliWords.ru)).toEqual(named(cliWords.en));
  expect(named(cliWords.ru).flat().length).toBeGreaterThan(20);
});

test.each([
  ["the command line", cliWords.ru, cliWords.en],
  ["the check", checkWordsRu, checkWordsEn],
  ["the import", movingRu, movingEn],
] as const)("each text of %s is in its language, and says the same details", (_, russian, inEnglish) => {
  const details = ["\u{1}", "\u{2}", "\u{3}", "\u{4}"];
  const said = (words: object, at = ""): [string, string][] =>
    Object.entries(words).flatMap(([key, text]): [string, string][] => {
      const name = `${at}${key}`;
      return typeof text === "string"
        ? [[name, text]]
        : typeof text === "function"
          ? [[name, text(...(name === "leftSealed" ? [details] : details))]]
          : said(text, `${name}.`);
    });
  const english = new Map(said(inEnglish));
  for (const [name, text] of said(russian)) {
    const other = english.get(name) ?? "";
    expect([name, /[а-яё]/i.test(text), /[а-яё]/i.test(other)]).toEqual([name, true, false]);
    for (const detail of details) expect([name, text.includes(detail)]).toEqual([name, other.includes(detail)]);
  }
});
