import { system as systemEn } from "./en/system.ts";
import { system as systemRu } from "./ru/system.ts";
import { tieAll } from "./tie.ts";
import { useSpeech } from "./use-text.tsx";

/** What the screen of the system says: both languages are loaded with it. */
export const systemWords = { ru: tieAll(systemRu), en: systemEn as typeof systemRu };

export type SystemWords = typeof systemRu;

export const useSystemWords = () => systemWords[useSpeech().language];
