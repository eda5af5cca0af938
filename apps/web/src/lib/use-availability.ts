import { useSyncExternalStore } from "react";
import { availability } from "./availability.ts";

/** Since when the panel gives no answer (ms since 1970), or null while it answers. */
export function useSilentSince(): number | null {
  return useSyncExternalStore(availability.subscribe, availability.silentSince);
}
