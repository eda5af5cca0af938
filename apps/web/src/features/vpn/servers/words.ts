import { bothLanguages } from "../../../lib/i18n/typography.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { servers as serversEn } from "./words-en.ts";
import { servers as serversRu } from "./words-ru.ts";

/** Texts of servers and of assignments. Both languages load with them. */
export const serversWords = bothLanguages(serversRu, serversEn);

export type ServersWords = typeof serversRu;

export const useServersWords = () => serversWords[useSpeech().language];
