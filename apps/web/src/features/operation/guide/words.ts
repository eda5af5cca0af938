import { bothLanguages } from "../../../lib/i18n/typography.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { guide as en } from "./words-en.ts";
import { guide as ru } from "./words-ru.ts";

export const guideWords = bothLanguages(ru, en);

export const useGuideWords = () => guideWords[useSpeech().language];
