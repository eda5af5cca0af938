import { checkScreens, staffWithLargeLetters, staffWords, withLargeLetters } from "./check-screens.ts";
import { sizesOf } from "./screens/all.ts";
import type { Language, Theme } from "./screens/stage.ts";

const THEMES: readonly Theme[] = ["dark", "light"];
const LANGUAGES: readonly Language[] = ["ru", "en"];

/** Axe in each size, theme and language; whole words and large letters in each language. */
checkScreens((screen) => [
  ...sizesOf(screen).flatMap((size) =>
    LANGUAGES.flatMap((language) => THEMES.map((theme) => ({ language, size, theme, of: "all" as const }))),
  ),
  ...LANGUAGES.flatMap((language) => [
    ...staffWords(screen, { language, theme: "dark" }),
    ...withLargeLetters(screen, { language, theme: "dark" }),
    ...staffWithLargeLetters(screen, { language, theme: "dark" }),
  ]),
]);
