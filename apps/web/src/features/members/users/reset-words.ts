import { makeWords } from "../../../lib/i18n/words.ts";
import { resets as ru } from "./reset-words-ru.ts";

export const useResetWords = makeWords(ru, () => import("./reset-words-en.ts").then(({ resets }) => resets));
