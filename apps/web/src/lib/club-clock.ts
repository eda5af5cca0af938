/** The least difference that anybody could see. */
const SHOWS_MS = 1_000;

/** How far the club's clock is ahead of this device's. */
let aheadMs = 0;
const listeners = new Set<() => void>();

/** The present by the club's clock (ms since 1970). What is shown, and what is compared with a moment that the panel named, goes by it. */
export const clubNow = (): number => Date.now() + aheadMs;

/** The present by this device's own clock, which may be wrong: for what is only compared with itself, over a reload too. */
export const deviceNow = (): number => Date.now();

/** A moment by this device's clock, as the query library notes them, by the club's. */
export const inClub = (deviceMs: number): number => deviceMs + aheadMs;

/**
 * The panel has said what time it is; `sentMs` and `receivedMs`: between which moments of this device it said so. What was known
 * stays as long as that allows it, so nothing jumps from answer to answer.
 */
export function hearClubTime(clubMs: number, sentMs: number, receivedMs = Date.now()): void {
  // A proxy may have answered, which says none; or the device's clock was set meanwhile.
  if (!(clubMs > 0) || receivedMs < sentMs) return;
  setAhead(Math.min(Math.max(aheadMs, clubMs - receivedMs), clubMs - sentMs));
}

/** For a page that opens without a connection: what an earlier one has heard, `inClub(0)`. */
export function setAhead(ms: number): void {
  const moved = Math.abs(ms - aheadMs);
  aheadMs = ms;
  if (moved >= SHOWS_MS) for (const listener of listeners) listener();
}

/** Calls back when the time that the page shows was corrected; answers how to stop. */
export function onCorrection(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
