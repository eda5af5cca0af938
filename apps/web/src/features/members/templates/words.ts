import { makeWords } from "../../../lib/i18n/words.ts";
import { templates as ru } from "./words-ru.ts";

export const useTemplatesWords = makeWords(ru, () => import("./words-en.ts").then(({ templates }) => templates));

export type TemplatesWords = typeof ru;
