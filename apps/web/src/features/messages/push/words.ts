import { makeWords } from "../../../lib/i18n/words.ts";
import { push as pushRu } from "./words-ru.ts";

export const usePushWords = makeWords(pushRu, () => import("./words-en.ts").then(({ push }) => push));
