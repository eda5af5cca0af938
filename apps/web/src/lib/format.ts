import { relativeAge } from "@krug/domain/handshake";
import { subscriptionLeft } from "@krug/domain/subscription-label";
import { formatBytes } from "@krug/domain/traffic";
import type { Language } from "./i18n/language.ts";
import type { MemberText, Text } from "./i18n/ru.ts";

type Ages = Text["age"];

/** "2 минуты назад"; null is "никогда". */
export function ageText(thenMs: number | null, nowMs: number, ages: Ages): string {
  const { unit, count } = relativeAge(thenMs, nowMs);
  if (unit === "never") return ages.never;
  if (unit === "seconds" && count < 5) return ages.now;
  return ages[unit](count);
}

/** Russian sizes take a decimal comma. The unit never wraps away from its number. */
export function sizeText(bytes: number, language: Language): string {
  return formatBytes(bytes, language === "ru" ? "," : ".").replace(" ", "\u00a0");
}

/** "сегодня", "вчера", "3 октября", with the year if it is not the current one. An invalid date gives a text that says so. */
export function dayText(iso: string, nowMs: number, language: Language, ages: Ages): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return ages.badDate;
  const midnight = new Date(nowMs).setHours(0, 0, 0, 0);
  if (date.getTime() >= midnight) return ages.today;
  // Not 24 hours before: with daylight saving a day has 23 or 25.
  if (date.getTime() >= new Date(midnight - 1).setHours(0, 0, 0, 0)) return ages.yesterday;
  return longDay(date, nowMs, language);
}

/** The club's day, YYYY-MM-DD, of a moment that the panel wrote with the club's offset, wherever the reader is. */
export const clubDay = (iso: string) => iso.slice(0, "YYYY-MM-DD".length);

/** YYYY-MM-DD of a moment in the reader's time zone, for a date field. */
export const dayField = (date: Date) =>
  `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;

/** "2026-11-21 14:20" in the reader's time zone: spreadsheets in both languages read it as a moment. */
export const sheetMoment = (ms: number) => `${dayField(new Date(ms))} ${clock(ms)}`;

/** Whole MB of 1024² bytes, for a column whose title says so. */
export const inMb = (bytes: number) => Math.round(bytes / 1024 ** 2);

/** A number with the decimal sign that a spreadsheet in this language expects. */
export const sheetNumber = (text: string, language: Language) => (language === "ru" ? text.replace(".", ",") : text);

/** "21 ноября" for a day written YYYY-MM-DD, in any time zone. */
export function writtenDay(day: string, nowMs: number, language: Language): string {
  return longDay(new Date(`${day}T12:00:00`), nowMs, language);
}

/** "ещё 3 дня"; on the last day "последний день, ещё 5 часов". */
export function leftText(endMs: number, nowMs: number, { dashboard }: Pick<MemberText, "dashboard">): string {
  const { unit, count } = subscriptionLeft(endMs, new Date(nowMs));
  return unit === "days" ? dashboard.daysLeft(count) : dashboard.hoursLeft(count);
}

/** "12 декабря", with the year if it is not the current one. */
export function longDay(date: Date, nowMs: number, language: Language): string {
  const sameYear = date.getFullYear() === new Date(nowMs).getFullYear();
  return sameYear ? dayAndMonth(date, language) : fullDay(date, language);
}

/** "12.11.2026" in both languages: the specification's DD.MM.YYYY. */
export function shortDay(date: Date): string {
  return `${twoDigits(date.getDate())}.${twoDigits(date.getMonth() + 1)}.${date.getFullYear()}`;
}

/** The same for a day written YYYY-MM-DD, in any time zone. */
export const writtenShortDay = (day: string) => day.split("-").toReversed().join(".");

/** "14:20" */
export function clock(ms: number): string {
  const date = new Date(ms);
  return `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
}

/** Since when something has been so: "14:20", and if that was not today "25 ноября, 14:20". */
export function sinceText(ms: number, nowMs: number, language: Language): string {
  const isToday = new Date(ms).toDateString() === new Date(nowMs).toDateString();
  return isToday ? clock(ms) : `${longDay(new Date(ms), nowMs, language)}, ${clock(ms)}`;
}

/** "14:20:05" */
export function secondsClock(ms: number): string {
  return `${clock(ms)}:${twoDigits(new Date(ms).getSeconds())}`;
}

/** The full moment, shown when hovering over a relative time. */
export function moment(ms: number, language: Language): string {
  return `${fullDay(new Date(ms), language)}, ${clock(ms)}`;
}

/** Ours instead of Intl's, whose first date costs a phone more than all the cards that show one (`npm run bench`). */
const MONTHS: Record<Language, readonly string[]> = {
  ru: "января февраля марта апреля мая июня июля августа сентября октября ноября декабря".split(" "),
  en: "January February March April May June July August September October November December".split(" "),
};
const dayAndMonth = (date: Date, language: Language) => `${date.getDate()}\u00a0${MONTHS[language][date.getMonth()]}`;
export const fullDay = (date: Date, language: Language) =>
  `${dayAndMonth(date, language)} ${date.getFullYear()}${language === "ru" ? "\u00a0г." : ""}`;
export const twoDigits = (value: number) => String(value).padStart(2, "0");
