import { decimalOf, hundredthsOf } from "@krug/domain/money";
import { moneyText } from "@krug/domain/money-text";
import type { Claim } from "./staff-queries.ts";

/** What claims come to, by currency. */
export function sumsOf(claims: readonly Claim[], language: "ru" | "en"): string[] {
  const sums = new Map<string, number>();
  for (const { amount, currency } of claims)
    if (amount !== null) sums.set(currency, (sums.get(currency) ?? 0) + hundredthsOf(amount));
  return [...sums].map(([currency, sum]) => moneyText(decimalOf(sum), currency, language));
}
