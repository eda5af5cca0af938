import { makeWords } from "../../lib/i18n/words.ts";
import { palette as ru } from "./palette-words-ru.ts";

/** They load with the palette, after the first screen. */
export const usePaletteWords = makeWords(ru, () => import("./palette-words-en.ts").then(({ palette }) => palette));

export type PaletteWords = typeof ru;
