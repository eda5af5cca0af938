import { bothLanguages } from "../../../lib/i18n/typography.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { serverSetup as setupEn } from "./setup-words-en.ts";
import { serverSetup as setupRu } from "./setup-words-ru.ts";

/** Texts of a server's set-up. Both languages load with its dialog. */
const setupWords = bothLanguages(setupRu, setupEn);

export type SetupWords = typeof setupRu;

export const useSetupWords = () => setupWords[useSpeech().language];
