import { makeWords } from "../../../lib/i18n/words.ts";
import { bulk as ru } from "./bulk-words-ru.ts";

export const useBulkWords = makeWords(ru, () => import("./bulk-words-en.ts").then(({ bulk }) => bulk));
