import { makeWords } from "../../../lib/i18n/words.ts";
import { configsBrowser as configsBrowserRu } from "./words-ru.ts";

export const useConfigsBrowserWords = makeWords(configsBrowserRu, () =>
  import("./words-en.ts").then(({ configsBrowser }) => configsBrowser),
);

export type ConfigsBrowserWords = typeof configsBrowserRu;
