import { relativeAge } from "@krug/domain/handshake";
import { DAY_MS } from "@krug/domain/moment";
import { formatBytes } from "@krug/domain/traffic";
import type { Language } from "./i18n/language.ts";
import type { Text } from "./i18n/ru.ts";

type Ages = Text["age"];

/** "2 минуты назад"; null is "никогда". */
export function ageText(thenMs: number | null, nowMs: number, ages: Ages): string {
  const { unit, count } = relativeAge(thenMs, nowMs);
  if (unit === "never") return ages.never;
  if (unit === "seconds" && count < 5) return ages.now;
  return ages[unit](count);
}

/** Sizes in Russian take a decimal comma; the unit never leaves its number. */
export function sizeText(bytes: number, language: Language): string {
  return formatBytes(bytes, language === "ru" ? "," : ".").replace(" ", "\u00a0");
}

/** "сегодня", "вчера", "3 октября", with the year when it is another one; a date that is none says so. */
export function dayText(iso: string, nowMs: number, language: Language, ages: Ages): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return ages.badDate;
  const midnight = new Date(nowMs).setHours(0, 0, 0, 0);
  if (date.getTime() >= midnight) return ages.today;
  if (date.getTime() >= midnight - DAY_MS) return ages.yesterday;
  return longDay(date, nowMs, language);
}

export function longDay(date: Date, nowMs: number, language: Language): string {
  const sameYear = date.getFullYear() === new Date(nowMs).getFullYear();
  return new Intl.DateTimeFormat(localeOf(language), {
    day: "numeric",
    month: "long",
    ...(sameYear ? {} : { year: "numeric" }),
  })
    .format(date)
    .replace(" ", "\u00a0");
}

/** "12.11.2026" in both languages: the specification's DD.MM.YYYY. */
export function shortDay(date: Date): string {
  return new Intl.DateTimeFormat("ru-RU", { day: "2-digit", month: "2-digit", year: "numeric" }).format(date);
}

/** "14:20" */
export function clock(ms: number): string {
  return new Intl.DateTimeFormat("ru-RU", { hour: "2-digit", minute: "2-digit" }).format(ms);
}

/** The whole moment, for who hovers over a relative time. */
export function moment(ms: number, language: Language): string {
  return new Intl.DateTimeFormat(localeOf(language), { dateStyle: "long", timeStyle: "short" }).format(ms);
}

const localeOf = (language: Language) => (language === "ru" ? "ru-RU" : "en-GB");
