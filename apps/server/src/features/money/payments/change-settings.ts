import type { PaymentSettingsInput } from "@krug/contract/money/payments";
import { hundredthsOf } from "@krug/domain/money";
import type { Actor } from "../../../platform/http/call.ts";
import { type ClubSettings, makeChangeSettings } from "../../club/settings/index.ts";
import type { PaymentParts } from "./parts.ts";
import { PRICES } from "./prices.ts";

/** Whether there is anything to show members about how to pay. */
export const isSetUp = (club: ClubSettings): boolean =>
  club.paymentDetails !== "" || Object.values(PRICES).some((name) => club[name] !== null);

/** Writes the prices and how to pay; settings not named stay, and recorded months keep their price. */
export function makeChangePaymentSettings(parts: PaymentParts) {
  const change = makeChangeSettings(parts);
  return (actor: Actor, { expected = {}, ...input }: PaymentSettingsInput): Promise<void> =>
    change(actor, "payment.settings_changed", asKept(input), asKept(expected));
}

const asKept = ({ currency, details, ...prices }: Omit<PaymentSettingsInput, "expected">): Partial<ClubSettings> => ({
  ...priceKept(PRICES[1], prices.price),
  ...priceKept(PRICES[3], prices.price3),
  ...priceKept(PRICES[6], prices.price6),
  ...priceKept(PRICES[12], prices.price12),
  ...(currency === undefined ? {} : { paymentCurrency: currency }),
  ...(details === undefined ? {} : { paymentDetails: details }),
});

const priceKept = (name: (typeof PRICES)[keyof typeof PRICES], price: string | null | undefined) =>
  price === undefined ? {} : { [name]: price === null ? null : hundredthsOf(price) };
