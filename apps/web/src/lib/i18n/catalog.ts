import { catalog as catalogEn } from "./en/catalog.ts";
import { catalog as catalogRu } from "./ru/catalog.ts";
import { bothLanguages } from "./tie.ts";
import { useSpeech } from "./use-text.tsx";

/** What the screen of services and DNS entries says: both languages are loaded with it. */
export const catalogWords = bothLanguages(catalogRu, catalogEn);

export const useCatalogWords = () => catalogWords[useSpeech().language];
