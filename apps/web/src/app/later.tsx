import { useEffect } from "react";
import { holdSpot } from "../lib/hold-spot.ts";
import { Abroad } from "./abroad.tsx";

/** What every page needs, but only after its first screen: nobody presses or translates anything before. */
export function Later() {
  useEffect(holdSpot, []);
  return <Abroad />;
}
