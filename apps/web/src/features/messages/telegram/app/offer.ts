import type { Api } from "@krug/contract/api";
import { useSyncExternalStore } from "react";

type Offer = Api["POST /auth/telegram/app"]["answer"]["toLink"];

/** What links the account in which this page was opened. It is that account's, whoever signs in. */
const held = { offer: null as Offer };
const listeners = new Set<() => void>();

/** Null: it is linked, or the page is not in Telegram. */
export function keepOffer(offer: Offer): void {
  held.offer = offer;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};
export const useOffer = (): Offer => useSyncExternalStore(subscribe, () => held.offer);
