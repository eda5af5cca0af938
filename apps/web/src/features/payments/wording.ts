import type { Language } from "../../lib/i18n/language.ts";

const localeOf = (language: Language) => (language === "ru" ? "ru-RU" : "en-GB");

/** "300 ₽", "10,99 €": an exact decimal in its currency; decimal places only if there are any. */
export function moneyText(amount: string, currency: string, language: Language): string {
  const places = amount.includes(".") ? 2 : 0;
  const look = {
    style: "currency",
    currency,
    currencyDisplay: "narrowSymbol",
    minimumFractionDigits: places,
    maximumFractionDigits: places,
  } as const;
  return new Intl.NumberFormat(localeOf(language), look).format(Number(amount));
}

/** "ноябрь 2026" of "2026-11". */
export function monthText(period: string, language: Language): string {
  const [year, month] = period.split("-").map(Number);
  const name = new Intl.DateTimeFormat(localeOf(language), { month: "long" });
  return `${name.format(new Date(year ?? 0, (month ?? 1) - 1, 15))}\u00a0${year}`;
}
