import { bothLanguages } from "../../../lib/i18n/typography.ts";
import { resets as en } from "./reset-words-en.ts";
import { resets as ru } from "./reset-words-ru.ts";

export const resetWords = bothLanguages(ru, en);
