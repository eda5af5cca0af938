import { HOUR_MS } from "@krug/domain/moment";
import type { Clock } from "./clock.ts";

/**
 * A time recorded ahead of the clock came from a wrong clock. But while this clock is behind, as after a start without a battery,
 * everything looks that way. So it is believed only after an hour in which this clock only went forward.
 */
export function makeLasting(clock: Clock): (isAhead: boolean) => boolean {
  let since: number | null = null;
  let seenAt = 0;
  return (isAhead) => {
    const now = clock.now().getTime();
    if (!isAhead) since = null;
    else if (since === null || now < seenAt) since = now;
    seenAt = now;
    return since !== null && now - since >= HOUR_MS;
  };
}
