import { passkeys as en } from "./en/passkeys.ts";
import { passkeys as ru } from "./ru/passkeys.ts";
import { bothLanguages } from "./typography.ts";
import { useSpeech } from "./use-text.tsx";

export const passkeyWords = bothLanguages(ru, en);

export const usePasskeyWords = () => passkeyWords[useSpeech().language];
