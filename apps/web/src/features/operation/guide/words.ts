import { makeWords } from "../../../lib/i18n/words.ts";
import { guide as ru } from "./words-ru.ts";

export const useGuideWords = makeWords(ru, () => import("./words-en.ts").then(({ guide }) => guide));
