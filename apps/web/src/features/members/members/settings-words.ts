import { makeWords } from "../../../lib/i18n/words.ts";
import { settings as ru } from "./settings-words-ru.ts";

/** The settings dialog's texts. */
export const useSettingsWords = makeWords(ru, () => import("./settings-words-en.ts").then(({ settings }) => settings));
