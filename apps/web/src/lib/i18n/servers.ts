import { servers as serversEn } from "./en/servers.ts";
import { servers as serversRu } from "./ru/servers.ts";
import { tieAll } from "./tie.ts";
import { useSpeech } from "./use-text.tsx";

/** What the screen of the servers says, and who has what assigned: both languages are loaded with it. */
export const serversWords = { ru: tieAll(serversRu), en: serversEn as typeof serversRu };

export const useServersWords = () => serversWords[useSpeech().language];
