import { coming as en } from "./en/coming.ts";
import { coming as ru } from "./ru/coming.ts";
import { bothLanguages } from "./typography.ts";
import { useSpeech } from "./use-text.tsx";

/** Both languages are loaded at once: what it tells of is that files do not come. */
const words = bothLanguages(ru, en);

export const useComingWords = () => words[useSpeech().language];
