import { interfaces as interfacesEn } from "./en/interfaces.ts";
import { interfaces as interfacesRu } from "./ru/interfaces.ts";
import { tieAll } from "./tie.ts";
import { useSpeech } from "./use-text.tsx";

/** What the screen of the interfaces says: both languages are loaded with it. */
export const interfacesWords = { ru: tieAll(interfacesRu), en: interfacesEn as typeof interfacesRu };

export const useInterfacesWords = () => interfacesWords[useSpeech().language];
