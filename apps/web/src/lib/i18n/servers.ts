import { servers as serversEn } from "./en/servers.ts";
import { servers as serversRu } from "./ru/servers.ts";
import { bothLanguages } from "./tie.ts";
import { useSpeech } from "./use-text.tsx";

/** What the screen of the servers says, and who has what assigned: both languages are loaded with it. */
export const serversWords = bothLanguages(serversRu, serversEn);

export const useServersWords = () => serversWords[useSpeech().language];
