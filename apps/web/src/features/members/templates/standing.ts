import { NO_LIMIT } from "@krug/domain/config-rules";
import { sizeText } from "../../../lib/format.ts";
import type { Language } from "../../../lib/i18n/language.ts";
import type { Template } from "./queries.ts";
import type { TemplatesWords } from "./words.ts";

export const limitText = (limit: number, words: TemplatesWords) =>
  limit === NO_LIMIT ? words.anyConfigs : words.configs(limit);

/** Null for any traffic. */
export const trafficText = (bytes: number | null, words: TemplatesWords, language: Language) =>
  bytes === null ? null : words.traffic(sizeText(bytes, language));

/** '3 конфига, 50 ГБ в месяц' */
export const termsText = (
  { configLimit, quotaBytes, speedMbit }: Template,
  words: TemplatesWords,
  language: Language,
): string =>
  [
    limitText(configLimit, words),
    trafficText(quotaBytes, words, language),
    speedMbit === null ? null : words.speed(speedMbit),
  ]
    .filter((text) => text !== null)
    .join(", ");
