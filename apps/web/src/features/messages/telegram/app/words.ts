import { bothLanguages } from "../../../../lib/i18n/typography.ts";
import { useSpeech } from "../../../../lib/i18n/use-text.tsx";
import { app as en } from "./words-en.ts";
import { app as ru } from "./words-ru.ts";

const appWords = bothLanguages(ru, en);

export const useAppWords = () => appWords[useSpeech().language];
