import { bothLanguages } from "../../../lib/i18n/typography.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { interfaces as interfacesEn } from "./words-en.ts";
import { interfaces as interfacesRu } from "./words-ru.ts";

/** The interfaces screen's texts. Both languages load with it. */
export const interfacesWords = bothLanguages(interfacesRu, interfacesEn);

export const useInterfacesWords = () => interfacesWords[useSpeech().language];
