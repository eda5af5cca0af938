import { keepForTab, keptForTab } from "../../../lib/browser-storage.ts";
import { deviceNow } from "../../../lib/club-clock.ts";

/** What takes it back: the panel, which knows it by its name, or the same change the other way round; and what is said then. */
type Way = { of: "payments" | "users"; act: string } | { back: () => Promise<unknown>; done: string };

/** What was done with one press, and what the page says about it. */
export type Offer = Way & About;
interface About {
  message: string;
  /** By this device's clock, ms. */
  until: number;
  onUndone?: () => void;
}

export type NewOffer = Way & Omit<About, "until">;

export const UNDO_KEPT = "krug.undo";

/** One that this page takes back by itself ends with it. */
export const keepOffer = (offer: Offer | null) =>
  keepForTab(UNDO_KEPT, offer === null || "back" in offer ? null : JSON.stringify(offer));

/** The offer that a reload has interrupted, if there is still time for it. */
export function keptOffer(): Offer | null {
  try {
    const offer = JSON.parse(keptForTab(UNDO_KEPT) ?? "null") as Offer | null;
    return offer !== null && offer.until > deviceNow() ? offer : null;
  } catch {
    return null;
  }
}
