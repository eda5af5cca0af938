import { bothLanguages } from "../../../lib/i18n/typography.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { memberField as en } from "./words-en.ts";
import { memberField as ru } from "./words-ru.ts";

const words = bothLanguages(ru, en);

export const useMemberFieldWords = () => words[useSpeech().language];
