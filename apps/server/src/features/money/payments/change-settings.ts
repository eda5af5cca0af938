import type { PaymentSettingsInput } from "@krug/contract/money/payments";
import type { Actor } from "../../../platform/http/call.ts";
import { type ClubSettings, makeChangeSettings } from "../../club/settings/index.ts";
import { hundredthsOf } from "./money.ts";
import type { PaymentParts } from "./parts.ts";

/** Whether there is anything to show members about how to pay. */
export const isSetUp = (club: ClubSettings): boolean => club.paymentPrice !== null || club.paymentDetails !== "";

/** Writes a month's price and how to pay; settings not named stay, and recorded months keep their price. */
export function makeChangePaymentSettings(parts: PaymentParts) {
  const change = makeChangeSettings(parts);
  return (actor: Actor, { expected = {}, ...input }: PaymentSettingsInput): Promise<void> =>
    change(actor, "payment.settings_changed", asKept(input), asKept(expected));
}

const asKept = ({ price, currency, details }: Omit<PaymentSettingsInput, "expected">): Partial<ClubSettings> => ({
  ...(price === undefined ? {} : { paymentPrice: price === null ? null : hundredthsOf(price) }),
  ...(currency === undefined ? {} : { paymentCurrency: currency }),
  ...(details === undefined ? {} : { paymentDetails: details }),
});
