import { HOUR_MS, isAheadOfTime } from "@krug/domain/moment";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";

/** Wrong codes within an hour, from all addresses together, that are no typing mistakes any more. */
const WAVE = 50;

/** Warns staff once an hour while someone is guessing codes from many addresses, which no ban of one address stops. */
export function makeWaveWatch(clock: Clock, log: Log): () => void {
  let recent: number[] = [];
  let warnedAt = Number.NEGATIVE_INFINITY;
  return () => {
    const now = clock.now().getTime();
    recent = [...recent.filter((at) => at > now - HOUR_MS && !isAheadOfTime(at, now)), now].slice(-WAVE);
    if (isAheadOfTime(warnedAt, now)) warnedAt = Number.NEGATIVE_INFINITY;
    if (recent.length < WAVE || now - warnedAt < HOUR_MS) return;
    warnedAt = now;
    log.warn({ wrongCodes: recent.length }, "many wrong invite codes within an hour: someone may be guessing");
  };
}
