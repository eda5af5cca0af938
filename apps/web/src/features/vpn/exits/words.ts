import { bothLanguages } from "../../../lib/i18n/typography.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { exits as en } from "./words-en.ts";
import { exits as ru } from "./words-ru.ts";

export const exitsWords = bothLanguages(ru, en);

export const useExitsWords = () => exitsWords[useSpeech().language];
