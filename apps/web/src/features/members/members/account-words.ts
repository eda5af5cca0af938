import { bothLanguages } from "../../../lib/i18n/typography.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { account as accountEn } from "./account-words-en.ts";
import { account as accountRu } from "./account-words-ru.ts";

/** Texts of the settings about own sessions and data. Both languages load with them, not with the first page. */
export const ownAccount = bothLanguages(accountRu, accountEn);

export const useOwnAccount = () => ownAccount[useSpeech().language];
