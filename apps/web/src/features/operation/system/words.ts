import { makeWords } from "../../../lib/i18n/words.ts";
import { system as systemRu } from "./words-ru.ts";

/** The system screen's texts. */
export const useSystemWords = makeWords(systemRu, () => import("./words-en.ts").then(({ system }) => system));

export type SystemWords = typeof systemRu;
