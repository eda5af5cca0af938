import { makeWords } from "../../../../lib/i18n/words.ts";
import { app as ru } from "./words-ru.ts";

export const useAppWords = makeWords(ru, () => import("./words-en.ts").then(({ app }) => app));
