import { keepForTab, keptForTab } from "../../../lib/browser-storage.ts";
import { deviceNow } from "../../../lib/club-clock.ts";

/** What was done with one press, as the panel knows it, and what the page says about it. */
export interface Offer {
  of: "payments" | "users";
  act: string;
  message: string;
  /** By this device's clock, ms. */
  until: number;
  onUndone?: () => void;
}

export const UNDO_KEPT = "krug.undo";

export const keepOffer = (offer: Offer | null) => keepForTab(UNDO_KEPT, offer && JSON.stringify(offer));

/** The offer that a reload has interrupted, if there is still time for it. */
export function keptOffer(): Offer | null {
  try {
    const offer = JSON.parse(keptForTab(UNDO_KEPT) ?? "null") as Offer | null;
    return offer !== null && offer.until > deviceNow() ? offer : null;
  } catch {
    return null;
  }
}
