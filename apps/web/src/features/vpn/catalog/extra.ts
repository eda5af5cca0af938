import { wordFor } from "@krug/domain/plural";
import type { Cover } from "@krug/wireguard/closest-cover";

/** What a cover holds beyond the wish. */
export type Extra = Cover["extra"];

/** As counter, for numbers that are long. */
export function longCounter(language: "ru" | "en", forms: Parameters<typeof wordFor>[1]) {
  const word = wordFor(language, forms);
  return (count: number) => `${count.toLocaleString(language)}\u00a0${word(count)}`;
}

/** Of what was wished; 1 is 100 %. */
export const percent = (language: "ru" | "en", share: number) =>
  new Intl.NumberFormat(language, { style: "percent", maximumSignificantDigits: 2 }).format(share);
