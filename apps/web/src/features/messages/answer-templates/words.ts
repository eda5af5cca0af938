import { bothLanguages } from "../../../lib/i18n/typography.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { answerTemplates as en } from "./words-en.ts";
import { answerTemplates as ru } from "./words-ru.ts";

export const answerTemplatesWords = bothLanguages(ru, en);

export const useAnswerTemplatesWords = () => answerTemplatesWords[useSpeech().language];
