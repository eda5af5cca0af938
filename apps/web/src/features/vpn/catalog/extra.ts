import type { Cover } from "@krug/wireguard/closest-cover";

/** What a cover holds beyond the wish. */
export type Extra = Cover["extra"];

/** Of what was wished; 1 is 100 %. */
export const percent = (language: "ru" | "en", share: number) =>
  new Intl.NumberFormat(language, { style: "percent", maximumSignificantDigits: 2 }).format(share);
