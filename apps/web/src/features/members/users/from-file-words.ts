import { makeWords } from "../../../lib/i18n/words.ts";
import { fromFile as ru } from "./from-file-words-ru.ts";

export const useFromFileWords = makeWords(ru, () => import("./from-file-words-en.ts").then(({ fromFile }) => fromFile));
