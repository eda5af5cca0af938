import { makeWords } from "../../../lib/i18n/words.ts";
import { moving as movingRu } from "./moving-words-ru.ts";

export const useMovingWords = makeWords(movingRu, () => import("./moving-words-en.ts").then(({ moving }) => moving));
