import { bothLanguages } from "../../../lib/i18n/typography.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { inbox as inboxEn } from "./words-en.ts";
import { inbox as inboxRu } from "./words-ru.ts";

/** Both languages are loaded with the screens that say it. */
export const inboxWords = bothLanguages(inboxRu, inboxEn);

export const useInboxWords = () => inboxWords[useSpeech().language];
