import type { Language } from "@krug/contract/refusals";
import { type Reason, reasonLine } from "@krug/domain/reasons";
import { sentenceOf } from "../platform/sentence-of.ts";
import { checkWordsEn } from "./words-en.ts";
import { checkWordsRu } from "./words-ru.ts";

const withReasons = (words: typeof checkWordsEn, language: Language) => ({
  ...words,
  reason: (why: Reason | null): string | null => (why === null ? null : reasonLine(why, language)),
  sentenceOf: (error: unknown): string => sentenceOf(error, language),
  /** Of what an answer gives in both languages. */
  inLanguage: (why: Record<Language, string> | null): string | null => why?.[language] ?? null,
});

export const checkWords = { ru: withReasons(checkWordsRu, "ru"), en: withReasons(checkWordsEn, "en") };
export type CheckWords = (typeof checkWords)[Language];
