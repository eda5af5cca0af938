import { account as accountEn } from "./en/account.ts";
import { account as accountRu } from "./ru/account.ts";
import { bothLanguages } from "./tie.ts";
import { useSpeech } from "./use-text.tsx";

/** What the settings say of one's sessions and data: both languages are loaded with them and not with the first page. */
export const ownAccount = bothLanguages(accountRu, accountEn);

export const useOwnAccount = () => ownAccount[useSpeech().language];
