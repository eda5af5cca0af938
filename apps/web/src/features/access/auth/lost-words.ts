import { bothLanguages } from "../../../lib/i18n/typography.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { lost as en } from "./lost-words-en.ts";
import { lost as ru } from "./lost-words-ru.ts";

const lostWords = bothLanguages(ru, en);

export const useLostWords = () => lostWords[useSpeech().language];
