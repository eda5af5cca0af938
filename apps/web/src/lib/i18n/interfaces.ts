import { interfaces as interfacesEn } from "./en/interfaces.ts";
import { interfaces as interfacesRu } from "./ru/interfaces.ts";
import { bothLanguages } from "./tie.ts";
import { useSpeech } from "./use-text.tsx";

/** What the screen of the interfaces says: both languages are loaded with it. */
export const interfacesWords = bothLanguages(interfacesRu, interfacesEn);

export const useInterfacesWords = () => interfacesWords[useSpeech().language];
