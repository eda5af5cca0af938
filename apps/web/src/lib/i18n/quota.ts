import { quota as en } from "./en/quota.ts";
import { quota as ru } from "./ru/quota.ts";
import { bothLanguages } from "./typography.ts";
import { useSpeech } from "./use-text.tsx";

const quota = bothLanguages(ru, en);

export const useQuotaWords = () => quota[useSpeech().language];
