import { configsBrowser as configsBrowserEn } from "./en/configs-browser.ts";
import { configsBrowser as configsBrowserRu } from "./ru/configs-browser.ts";
import { tieAll } from "./tie.ts";
import { useSpeech } from "./use-text.tsx";

/** Both languages are loaded with the screens that say it. */
export const configsBrowserWords = { ru: tieAll(configsBrowserRu), en: configsBrowserEn as typeof configsBrowserRu };

export type ConfigsBrowserWords = typeof configsBrowserRu;

export const useConfigsBrowserWords = () => configsBrowserWords[useSpeech().language];
