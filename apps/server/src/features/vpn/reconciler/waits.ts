import type { Clock } from "../../../platform/clock.ts";

const FIRST_WAIT_MS = 30_000;
const LONGEST_WAIT_MS = 5 * 60_000;

/**
 * How long the minute's rounds leave a failed server alone: at most 30 s, then twice as long each time, up to 5 min. The wait is
 * random, so that servers that failed together are not all retried together.
 */
export function makeWaits(clock: Clock, draw: () => number = Math.random) {
  const failing = new Map<string, { times: number; until: number }>();
  return {
    failed(serverId: string): void {
      const times = (failing.get(serverId)?.times ?? 0) + 1;
      const waitMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (times - 1)) * (1 - draw() / 2);
      failing.set(serverId, { times, until: clock.now().getTime() + waitMs });
    },
    answered(serverId: string): void {
      failing.delete(serverId);
    },
    isWaiting(serverId: string): boolean {
      const leftMs = (failing.get(serverId)?.until ?? 0) - clock.now().getTime();
      // A wait longer than the maximum started under a clock that has since been corrected.
      return leftMs > 0 && leftMs <= LONGEST_WAIT_MS;
    },
  };
}
