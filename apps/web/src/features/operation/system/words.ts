import { bothLanguages } from "../../../lib/i18n/typography.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { system as systemEn } from "./words-en.ts";
import { system as systemRu } from "./words-ru.ts";

/** The system screen's texts. Both languages load with it. */
export const systemWords = bothLanguages(systemRu, systemEn);

export type SystemWords = typeof systemRu;

export const useSystemWords = () => systemWords[useSpeech().language];
