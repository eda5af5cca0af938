import type { PaymentSettingsInput } from "@krug/contract/money/payments";
import type { Actor } from "../../../platform/http/call.ts";
import { type ClubSettings, makeChangeSettings } from "../../club/settings/index.ts";
import { hundredthsOf } from "./money.ts";
import type { PaymentParts } from "./parts.ts";

/** Whether there is anything to tell members about how to pay. */
export const isSetUp = (club: ClubSettings): boolean => club.paymentPrice !== null || club.paymentDetails !== "";

/** Writes what a month costs and how it is paid; what is not named stays, and months that are recorded keep their price. */
export function makeChangePaymentSettings(parts: PaymentParts) {
  const change = makeChangeSettings(parts);
  return (actor: Actor, { expected = {}, ...wish }: PaymentSettingsInput): Promise<void> =>
    change(actor, "payment.settings_changed", asKept(wish), asKept(expected));
}

const asKept = ({ price, currency, details }: Omit<PaymentSettingsInput, "expected">): Partial<ClubSettings> => ({
  ...(price === undefined ? {} : { paymentPrice: price === null ? null : hundredthsOf(price) }),
  ...(currency === undefined ? {} : { paymentCurrency: currency }),
  ...(details === undefined ? {} : { paymentDetails: details }),
});
