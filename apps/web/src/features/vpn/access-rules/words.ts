import { bothLanguages } from "../../../lib/i18n/typography.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { rules as rulesEn } from "./words-en.ts";
import { rules as rulesRu } from "./words-ru.ts";

/** The access rules screen's texts. Both languages load with it. */
export const rulesWords = bothLanguages(rulesRu, rulesEn);

export type RulesWords = typeof rulesRu;

export const useRulesWords = () => rulesWords[useSpeech().language];
