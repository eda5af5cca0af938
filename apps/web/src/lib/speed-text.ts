import type { Language } from "./i18n/language.ts";

/** Bits per second, the unit in which connections are sold: "1,2 Мбит/с". `bytes`: per second. */
export function speedText(bytes: number, language: Language): string {
  const ru = language === "ru";
  const kilobits = (bytes * 8) / 1_000;
  const [value, unit] =
    kilobits < 1_000 ? [kilobits, ru ? "кбит/с" : "kbit/s"] : [kilobits / 1_000, ru ? "Мбит/с" : "Mbit/s"];
  return `${value.toLocaleString(language, { maximumFractionDigits: value < 10 ? 1 : 0 })}\u00a0${unit}`;
}
