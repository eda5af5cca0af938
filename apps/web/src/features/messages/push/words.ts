import { bothLanguages } from "../../../lib/i18n/typography.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { push as pushEn } from "./words-en.ts";
import { push as pushRu } from "./words-ru.ts";

export const pushWords = bothLanguages(pushRu, pushEn);

export const usePushWords = () => pushWords[useSpeech().language];
