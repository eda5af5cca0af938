import { bothLanguages } from "../../../lib/i18n/typography.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { notes as en } from "./words-en.ts";
import { notes as ru } from "./words-ru.ts";

export const notesWords = bothLanguages(ru, en);

export const useNotesWords = () => notesWords[useSpeech().language];
