import { ApiError } from "../../../lib/api.ts";
import { keepForTab, keptForTab } from "../../../lib/browser-storage.ts";
import { idempotencyKey } from "../../../lib/idempotency-key.ts";
import { type KeyPair, makeKeyPair } from "./browser-key.ts";

/** In the tab, for as long as nobody knows what became of it: over a reload too. */
const placeOf = (what: "config" | "key") => `krug.sent-${what}`;

interface Sent {
  /** The same wish sent again is the same wish; a changed one is a new one. */
  wish: string;
  key: string;
  /** Only this browser has it: lost, the device that was made with it would be too. */
  pair: KeyPair | null;
}

/** With which keys a wish is sent: those of the time before, if it is the same wish. */
export async function sentWith(what: "config" | "key", wish: string, isOwnKey: boolean): Promise<Sent> {
  const before = JSON.parse(keptForTab(placeOf(what)) ?? "null") as Sent | null;
  if (before?.wish === wish) return before;
  const sent: Sent = { wish, key: idempotencyKey(), pair: isOwnKey ? await makeKeyPair() : null };
  keepForTab(placeOf(what), JSON.stringify(sent));
  return sent;
}

export const forgetSent = (what: "config" | "key") => keepForTab(placeOf(what), null);

/** The panel has said no: nothing came of it. After silence, or where something broke, nobody knows. */
export function forgetRefused(what: "config" | "key", error: unknown) {
  if (error instanceof ApiError && error.status < 500) forgetSent(what);
}
