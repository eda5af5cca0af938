import { expect, test } from "vitest";
import { type Check, checkScreens, staffWithLargeLetters, staffWords, withLargeLetters } from "./check-screens.ts";
import { screens, sizesOf } from "./screens/all.ts";
import type { Language, Screen, Theme } from "./screens/stage.ts";

const THEMES: readonly Theme[] = ["dark", "light"];
const LANGUAGES: readonly Language[] = ["ru", "en"];

/** Axe in each size, theme and language; whole words and large letters in each language. */
const inFull = (screen: Screen): Check[] => [
  ...sizesOf(screen).flatMap((size) =>
    LANGUAGES.flatMap((language) => THEMES.map((theme) => ({ language, size, theme, of: "all" as const }))),
  ),
  ...LANGUAGES.flatMap((language) => [
    ...staffWords(screen, { language, theme: "dark" }),
    ...withLargeLetters(screen, { language, theme: "dark" }),
    ...staffWithLargeLetters(screen, { language, theme: "dark" }),
  ]),
];

/** The components of the screens that `npm test` checks, and those of the composed ones. */
const checked = new Set<string>();
const composed = new Map<string, ReadonlySet<string>>();
checkScreens(inFull, screens, ({ name, isVariant, isComposed }, components) => {
  if (isComposed) composed.set(name, components);
  else if (!isVariant) for (const one of components) checked.add(one);
});

test("a composed screen has no component that npm test does not check on another", () => {
  const own = [...composed].map(([name, components]) => [name, [...components].filter((one) => !checked.has(one))]);
  expect(own.filter(([, some]) => some?.length)).toEqual([]);
});
