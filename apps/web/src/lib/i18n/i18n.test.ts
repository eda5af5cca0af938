import { expect, test } from "vitest";
import { useDevices } from "./devices.ts";
import { memberRu } from "./member.ts";
import { newcomerRu } from "./newcomer.ts";
import { SPECIFIED_EN, SPECIFIED_RU } from "./specified.ts";
import { typeset, typesetAll } from "./typography.ts";

/** Every file of texts, as what it exports, by its address without the language. */
const inLanguage = (files: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(files).map(([at, texts]) => [at.replace(/(?:-|\/)(?:ru|en)(?=[./])/, ""), texts]));
const ru = inLanguage(import.meta.glob(["../../**/*words-ru.ts", "./ru/*.ts"], { eager: true }));
const en = inLanguage(import.meta.glob(["../../**/*words-en.ts", "./en/*.ts"], { eager: true }));
const pages = { ...memberRu, ...newcomerRu };

const textsOf = (part: unknown): string[] =>
  typeof part === "string"
    ? [part]
    : typeof part === "object" && part !== null
      ? Object.values(part).flatMap(textsOf)
      : [];
const shapeOf = (part: unknown): unknown =>
  Array.isArray(part)
    ? part.length
    : typeof part === "object" && part !== null
      ? Object.fromEntries(Object.entries(part).map(([key, value]) => [key, shapeOf(value)]))
      : typeof part;

test.each(SPECIFIED_RU)("the Russian dictionary has exactly: %s", (text) => {
  expect(textsOf(typesetAll(ru))).toContain(text);
});

test.each(SPECIFIED_EN)("the English dictionary has exactly: %s", (text) => {
  expect(textsOf(en)).toContain(text);
});

test("texts with a number match the specification too", () => {
  expect(pages.register.tryIn(275)).toBe("Попробуйте через 275 секунд");
  expect(pages.dashboard.expired("01.02.2026")).toBe("Истекла 01.02.2026");
});

test("English has every text that Russian has", () => {
  expect(shapeOf(en)).toEqual(shapeOf(ru));
  expect(textsOf(en).filter((text) => text.trim() === "")).toEqual([]);
});

test("no English text was left in Russian, save the club's name and the name of the language", () => {
  const allowed = new Set(["Круг", "Круг, start page", "Русский", "РУ"]);
  expect(textsOf(en).filter((text) => /[а-яё]/i.test(text) && !allowed.has(text))).toEqual([]);
});

test.each([
  [1, "1 адрес"],
  [2, "2 адреса"],
  [5, "5 адресов"],
  [11, "11 адресов"],
  [21, "21 адрес"],
])("plurals are right: %i", (count, words) => {
  expect(useDevices.ru.create.addresses(count)).toBe(words.replace(" ", "\u00a0"));
});

test("short words do not end a line of prose", () => {
  expect(typeset("Откройте его в WireGuard и включите туннель")).toBe(
    "Откройте его в\u00a0WireGuard и\u00a0включите туннель",
  );
});
