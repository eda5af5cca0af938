import { system as systemEn } from "./en/system.ts";
import { system as systemRu } from "./ru/system.ts";
import { bothLanguages } from "./tie.ts";
import { useSpeech } from "./use-text.tsx";

/** What the screen of the system says: both languages are loaded with it. */
export const systemWords = bothLanguages(systemRu, systemEn);

export type SystemWords = typeof systemRu;

export const useSystemWords = () => systemWords[useSpeech().language];
