import { support as en } from "./en/support.ts";
import { support as ru } from "./ru/support.ts";
import { bothLanguages } from "./typography.ts";
import { useSpeech } from "./use-text.tsx";

/** The support widget's texts. Both languages load with it. */
export const supportWords = bothLanguages(ru, en);

export type SupportWords = typeof ru;

export const useSupportWords = () => supportWords[useSpeech().language];
