import { makeWords } from "../../../lib/i18n/words.ts";
import { rules as rulesRu } from "./words-ru.ts";

/** The access rules screen's texts. */
export const useRulesWords = makeWords(rulesRu, () => import("./words-en.ts").then(({ rules }) => rules));

export type RulesWords = typeof rulesRu;
