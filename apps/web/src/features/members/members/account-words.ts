import { makeWords } from "../../../lib/i18n/words.ts";
import { account as accountRu } from "./account-words-ru.ts";

/** Texts of the settings about own sessions and data. They load with them, not with the first page. */
export const useOwnAccount = makeWords(accountRu, () => import("./account-words-en.ts").then(({ account }) => account));
