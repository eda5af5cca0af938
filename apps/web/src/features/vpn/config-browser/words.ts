import { bothLanguages } from "../../../lib/i18n/typography.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { configsBrowser as configsBrowserEn } from "./words-en.ts";
import { configsBrowser as configsBrowserRu } from "./words-ru.ts";

/** Both languages load with the screens that use them. */
export const configsBrowserWords = bothLanguages(configsBrowserRu, configsBrowserEn);

export type ConfigsBrowserWords = typeof configsBrowserRu;

export const useConfigsBrowserWords = () => configsBrowserWords[useSpeech().language];
