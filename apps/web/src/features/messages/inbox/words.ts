import { bothLanguages } from "../../../lib/i18n/typography.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { inbox as inboxEn } from "./words-en.ts";
import { inbox as inboxRu } from "./words-ru.ts";

/** Both languages load with the screens that use them. */
export const inboxWords = bothLanguages(inboxRu, inboxEn);

export const useInboxWords = () => inboxWords[useSpeech().language];
