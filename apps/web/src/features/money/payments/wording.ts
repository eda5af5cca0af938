import type { Language } from "../../../lib/i18n/language.ts";

const localeOf = (language: Language) => (language === "ru" ? "ru-RU" : "en-GB");

/** "ноябрь 2026" for "2026-11". */
export function monthText(period: string, language: Language): string {
  const [year, month] = period.split("-").map(Number);
  const name = new Intl.DateTimeFormat(localeOf(language), { month: "long" });
  return `${name.format(new Date(year ?? 0, (month ?? 1) - 1, 15))}\u00a0${year}`;
}
