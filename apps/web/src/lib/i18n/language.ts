import type { Language } from "@krug/domain/fill-in";
import { KEPT, keep } from "../browser-storage.ts";
import { loadWordsIn } from "./later-words.ts";
import { type MemberText, type NewcomerText, ru, type Text } from "./ru.ts";

export type { Language };

/** A language and its texts: in Russian those of every page, in English all but those loaded by dialogs and staff screens. */
export type Spoken = { language: "ru"; text: Text } | { language: "en"; text: MemberText & NewcomerText };

/** `<html lang>` is the one place that holds the displayed language. */
export function shownLanguage(): Language {
  return document.documentElement.lang === "en" ? "en" : "ru";
}

export async function loadText(language: Language): Promise<Spoken> {
  if (language === "ru") return { language, text: ru };
  const [{ en }] = await Promise.all([import("./en.ts"), loadWordsIn(language)]);
  return { language, text: en };
}

export function rememberLanguage(language: Language) {
  document.documentElement.lang = language;
  keep(KEPT.language, language);
}
