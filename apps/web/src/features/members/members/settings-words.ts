import { bothLanguages } from "../../../lib/i18n/typography.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { settings as en } from "./settings-words-en.ts";
import { settings as ru } from "./settings-words-ru.ts";

/** The settings dialog's texts. Both languages load with it. */
export const settingsWords = bothLanguages(ru, en);

export const useSettingsWords = () => settingsWords[useSpeech().language];
