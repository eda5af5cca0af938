import { makeWords } from "../../../lib/i18n/words.ts";
import { dormantWords as ru } from "./dormant-words-ru.ts";

export const useDormantWords = makeWords(ru, () =>
  import("./dormant-words-en.ts").then(({ dormantWords }) => dormantWords),
);
