import { makeWords } from "../../../lib/i18n/words.ts";
import { exits as ru } from "./words-ru.ts";

export const useExitsWords = makeWords(ru, () => import("./words-en.ts").then(({ exits }) => exits));
