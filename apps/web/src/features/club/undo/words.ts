import { makeWords } from "../../../lib/i18n/words.ts";
import { undo as ru } from "./words-ru.ts";

export const useUndoWords = makeWords(ru, () => import("./words-en.ts").then(({ undo }) => undo));
