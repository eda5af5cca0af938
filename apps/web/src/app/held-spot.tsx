import { useEffect } from "react";
import { holdSpot } from "../lib/hold-spot.ts";

/** Loaded after the screen, because nobody presses anything before. */
export function HeldSpot() {
  useEffect(holdSpot, []);
  return null;
}
