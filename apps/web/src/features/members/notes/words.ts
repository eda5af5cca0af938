import { makeWords } from "../../../lib/i18n/words.ts";
import { notes as ru } from "./words-ru.ts";

export const useNotesWords = makeWords(ru, () => import("./words-en.ts").then(({ notes }) => notes));
