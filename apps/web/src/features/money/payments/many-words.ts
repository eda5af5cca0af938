import { makeWords } from "../../../lib/i18n/words.ts";
import { manyWords } from "./many-words-ru.ts";

export const useManyWords = makeWords(manyWords, () => import("./many-words-en.ts").then(({ manyWords }) => manyWords));
