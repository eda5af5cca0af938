import { bothLanguages } from "../../../lib/i18n/typography.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { catalog as catalogEn } from "./words-en.ts";
import { catalog as catalogRu } from "./words-ru.ts";

/** What the screen of services and DNS entries says: both languages are loaded with it. */
export const catalogWords = bothLanguages(catalogRu, catalogEn);

export const useCatalogWords = () => catalogWords[useSpeech().language];
