import type { ReadingRow } from "./table.ts";

/** What happened between two readings of a machine's counters. */
export interface Passed {
  /** ms since 1970: the start. */
  since: number;
  /** Thousandths of all cores. */
  cpu: number;
  /** Bytes per second. */
  received: number;
  sent: number;
}

/** An older reading no longer says what one step was like. */
const FRESH_MS = 12 * 60_000;

/**
 * Null if unknown: there is no recent reading, or the panel's clock was set back. Counters start from zero with the machine, at
 * `startedAt` (ms since 1970).
 */
export function passedBetween(
  before: Omit<ReadingRow, "server_id"> | undefined,
  now: Omit<ReadingRow, "server_id"> & { startedAt: number },
): Passed | null {
  if (before === undefined) return null;
  const hasRestarted = now.startedAt > before.at;
  const since = hasRestarted ? now.startedAt : before.at;
  const lasted = now.at - since;
  if (lasted <= 0 || now.at - before.at > FRESH_MS) return null;
  const grown = (name: "cpu_idle" | "cpu_total" | "network_in" | "network_out") =>
    // A recreated network device counts from zero, although the machine kept running.
    hasRestarted || now[name] < before[name] ? now[name] : now[name] - before[name];
  const ticks = grown("cpu_total");
  return {
    since,
    cpu: ticks === 0 ? 0 : Math.round(1_000 * (1 - Math.min(1, grown("cpu_idle") / ticks))),
    received: Math.round((grown("network_in") * 1_000) / lasted),
    sent: Math.round((grown("network_out") * 1_000) / lasted),
  };
}
