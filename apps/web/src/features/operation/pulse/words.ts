import { makeWords } from "../../../lib/i18n/words.ts";
import { pulse as ru } from "./words-ru.ts";

export const usePulseWords = makeWords(ru, () => import("./words-en.ts").then(({ pulse }) => pulse));
