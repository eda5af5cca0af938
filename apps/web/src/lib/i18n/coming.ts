import { coming as en } from "./en/coming.ts";
import { coming as ru } from "./ru/coming.ts";
import { bothLanguages } from "./typography.ts";
import { useSpeech } from "./use-text.tsx";

/** Both languages load at once, because these texts report that files do not load. */
const words = bothLanguages(ru, en);

export const useComingWords = () => words[useSpeech().language];
