import { ApiError } from "../../../lib/api.ts";
import { keepForTab, keptForTab } from "../../../lib/browser-storage.ts";
import { idempotencyKey } from "../../../lib/idempotency-key.ts";
import { type KeyPair, makeKeyPair } from "./browser-key.ts";

/** Stored in the tab, also across a reload, until the outcome is known. */
const placeOf = (what: "config" | "key") => `krug.sent-${what}`;

interface Sent {
  /** Repeating the same input is the same request. A changed one is new. */
  wish: string;
  key: string;
  /** Only this browser has it: if it is lost, so is the device made with it. */
  pair: KeyPair | null;
}

/** The keys to send with this input: the earlier ones, if it is the same input. */
export async function sentWith(what: "config" | "key", wish: string, isOwnKey: boolean): Promise<Sent> {
  const before = JSON.parse(keptForTab(placeOf(what)) ?? "null") as Sent | null;
  if (before?.wish === wish) return before;
  const sent: Sent = { wish, key: idempotencyKey(), pair: isOwnKey ? await makeKeyPair() : null };
  keepForTab(placeOf(what), JSON.stringify(sent));
  return sent;
}

export const forgetSent = (what: "config" | "key") => keepForTab(placeOf(what), null);

/**
 * The panel refused: nothing was created. After silence, or a server error, the outcome is unknown; nor does a limit, or a proxy,
 * know of an earlier attempt.
 */
export function forgetRefused(what: "config" | "key", error: unknown) {
  if (!(error instanceof ApiError) || error.status >= 500) return;
  if (error.code !== "request.too_many" && error.code !== "unknown") forgetSent(what);
}
