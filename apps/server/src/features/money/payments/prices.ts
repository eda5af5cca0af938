import { PAYMENT_LENGTHS, type PaymentLength } from "@krug/domain/prepaid-months";
import type { ClubSettings } from "../../club/settings/index.ts";
import type { ClaimRow } from "./table.ts";

/** The settings with the prices, in hundredths. */
export const PRICES = {
  1: "paymentPrice",
  3: "paymentPrice3",
  6: "paymentPrice6",
  12: "paymentPrice12",
} as const satisfies Record<PaymentLength, keyof ClubSettings>;

/** What so many months cost at once, in hundredths; null if no price is set. */
export const priceOf = (club: ClubSettings, months: PaymentLength): number | null => club[PRICES[months]];

/** Several months are offered once they have a price; a single one always is. */
export const lengthsOffered = (club: ClubSettings): PaymentLength[] =>
  PAYMENT_LENGTHS.filter((months) => months === 1 || priceOf(club, months) !== null);

/** What a payment for so many months brings: of several, what the member was shown; null if that is not known. */
export function sumOf(club: ClubSettings, months: PaymentLength, claim: ClaimRow | undefined) {
  const shown = months > 1 && claim?.months === months ? claim : null;
  return shown?.amount == null || shown.currency === null
    ? { amount: priceOf(club, months), currency: club.paymentCurrency }
    : { amount: shown.amount, currency: shown.currency };
}
