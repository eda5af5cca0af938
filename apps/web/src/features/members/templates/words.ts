import { bothLanguages } from "../../../lib/i18n/typography.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { templates as en } from "./words-en.ts";
import { templates as ru } from "./words-ru.ts";

export const templatesWords = bothLanguages(ru, en);

export type TemplatesWords = typeof ru;

export const useTemplatesWords = () => templatesWords[useSpeech().language];
