import { makeWords } from "../../../lib/i18n/words.ts";
import { quota as ru } from "./quota-words-ru.ts";

export const useQuotaOfWords = makeWords(ru, () => import("./quota-words-en.ts").then(({ quota }) => quota));
