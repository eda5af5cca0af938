import { useSilentSince } from "../lib/use-availability.ts";
import type { RingState } from "./ring.tsx";

/** While the panel is silent, nothing that it said to be well before is shown as well now. */
export function useLiveRing(): (ring: RingState) => RingState {
  const isSilent = useSilentSince() !== null;
  return (ring) => (isSilent && (ring === "on" || ring === "done") ? "idle" : ring);
}
