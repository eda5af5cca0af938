import { HOUR_MS } from "@krug/domain/moment";
import type { Clock } from "./clock.ts";

/**
 * What was noted ahead of the clock came from a clock that was wrong; but while this one is behind, as after a start without a battery,
 * everything looks so. It is believed once it has been so for an hour in which this clock only went forward.
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
