import { bothLanguages } from "../../lib/i18n/tie.ts";
import { useSpeech } from "../../lib/i18n/use-text.tsx";
import { servers as serversEn } from "./words-en.ts";
import { servers as serversRu } from "./words-ru.ts";

/** What the screen of the servers says, and who has what assigned: both languages are loaded with it. */
export const serversWords = bothLanguages(serversRu, serversEn);

export const useServersWords = () => serversWords[useSpeech().language];
