import { useSyncExternalStore } from "react";
import { availability } from "./availability.ts";
import { inClub } from "./club-clock.ts";

/** Since when the panel has not answered (ms since 1970, by the club's clock), or null while it answers. */
export function useSilentSince(): number | null {
  const since = useSyncExternalStore(availability.subscribe, availability.silentSince);
  return since === null ? null : inClub(since);
}
