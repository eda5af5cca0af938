import { configsBrowser as configsBrowserEn } from "./en/configs-browser.ts";
import { configsBrowser as configsBrowserRu } from "./ru/configs-browser.ts";
import { bothLanguages } from "./tie.ts";
import { useSpeech } from "./use-text.tsx";

/** Both languages are loaded with the screens that say it. */
export const configsBrowserWords = bothLanguages(configsBrowserRu, configsBrowserEn);

export type ConfigsBrowserWords = typeof configsBrowserRu;

export const useConfigsBrowserWords = () => configsBrowserWords[useSpeech().language];
