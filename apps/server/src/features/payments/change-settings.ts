import type { PaymentSettingsInput } from "@krug/contract/payments";
import type { Actor } from "../../platform/http/call.ts";
import type { ClubSettings } from "../settings/index.ts";
import { hundredthsOf } from "./money.ts";
import type { PaymentParts } from "./parts.ts";

/** Whether members can be told anything of how to pay. */
export const isSetUp = (club: ClubSettings): boolean => club.paymentPrice !== null || club.paymentDetails !== "";

/** Writes what a month costs and how it is paid; what is not named stays, and months that are recorded keep their price. */
export function makeChangeSettings({ transact, settings, audit }: PaymentParts) {
  return (actor: Actor, { price, currency, details }: PaymentSettingsInput): Promise<void> => {
    const change: Partial<ClubSettings> = {
      ...(price === undefined ? {} : { paymentPrice: price === null ? null : hundredthsOf(price) }),
      ...(currency === undefined ? {} : { paymentCurrency: currency }),
      ...(details === undefined ? {} : { paymentDetails: details }),
    };
    return transact(async (tx) => {
      const before = await settings.read(tx);
      await settings.write(tx, change);
      const changed = Object.keys(change) as (keyof ClubSettings)[];
      await audit.record(tx, {
        actorId: actor.memberId,
        action: "payment.settings_changed",
        before: Object.fromEntries(changed.map((name) => [name, before[name]])),
        after: change,
      });
    });
  };
}
