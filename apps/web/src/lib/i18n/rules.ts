import { rules as rulesEn } from "./en/rules.ts";
import { rules as rulesRu } from "./ru/rules.ts";
import { bothLanguages } from "./tie.ts";
import { useSpeech } from "./use-text.tsx";

/** What the screen of access rules says: both languages are loaded with it. */
export const rulesWords = bothLanguages(rulesRu, rulesEn);

export type RulesWords = typeof rulesRu;

export const useRulesWords = () => rulesWords[useSpeech().language];
