import { bothLanguages } from "../../../lib/i18n/typography.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { apiTokens as apiTokensEn } from "./words-en.ts";
import { apiTokens as apiTokensRu } from "./words-ru.ts";

export const apiTokenWords = bothLanguages(apiTokensRu, apiTokensEn);

export const useApiTokenWords = () => apiTokenWords[useSpeech().language];
