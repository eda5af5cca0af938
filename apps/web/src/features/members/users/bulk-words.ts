import { bothLanguages } from "../../../lib/i18n/typography.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { bulk as en } from "./bulk-words-en.ts";
import { bulk as ru } from "./bulk-words-ru.ts";

const words = bothLanguages(ru, en);

export const useBulkWords = () => words[useSpeech().language];
