import { makeWords } from "../../../lib/i18n/words.ts";
import { lost as ru } from "./lost-words-ru.ts";

export const useLostWords = makeWords(ru, () => import("./lost-words-en.ts").then(({ lost }) => lost));
