import { makeWords } from "../lib/i18n/words.ts";
import { edit as ru } from "./edit-words-ru.ts";

export const useEditWords = makeWords(ru, () => import("./edit-words-en.ts").then(({ edit }) => edit));
