import { KEPT, keep } from "../kept.ts";
import { ru, type Text } from "./ru.ts";

export type Language = "ru" | "en";

/** `<html lang>` is the one place that says which language is shown. */
export function shownLanguage(): Language {
  return document.documentElement.lang === "en" ? "en" : "ru";
}

export async function loadText(language: Language): Promise<Text> {
  return language === "en" ? (await import("./en.ts")).en : ru;
}

export function rememberLanguage(language: Language) {
  document.documentElement.lang = language;
  keep(KEPT.language, language);
}
