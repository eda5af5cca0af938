import { inbox as inboxEn } from "./en/inbox.ts";
import { inbox as inboxRu } from "./ru/inbox.ts";
import { bothLanguages } from "./tie.ts";
import { useSpeech } from "./use-text.tsx";

/** Both languages are loaded with the screens that say it. */
export const inboxWords = bothLanguages(inboxRu, inboxEn);

export const useInboxWords = () => inboxWords[useSpeech().language];
