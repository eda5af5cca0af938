import { makeWords } from "../../../lib/i18n/words.ts";
import { leaving as ru } from "./leave-words-ru.ts";

export const useLeaveWords = makeWords(ru, () => import("./leave-words-en.ts").then(({ leaving }) => leaving));
