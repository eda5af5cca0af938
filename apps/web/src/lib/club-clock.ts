/** The smallest difference that anybody could see. */
const SHOWS_MS = 1_000;

/** How far the club's clock is ahead of this device's. */
let aheadMs = 0;
const listeners = new Set<() => void>();

/** The present by the club's clock (ms since 1970). Use it for what is shown and for comparisons with the panel's times. */
export const clubNow = (): number => Date.now() + aheadMs;

/** The present by this device's own clock, which may be wrong. Use it only to compare with itself, also across a reload. */
export const deviceNow = (): number => Date.now();

/** Converts a moment by this device's clock, as the query library notes it, to the club's. */
export const inClub = (deviceMs: number): number => deviceMs + aheadMs;

/**
 * The panel has sent its time at some moment between `sentMs` and `receivedMs` of this device. The known difference stays as long
 * as it fits, so the time does not jump from answer to answer.
 */
export function hearClubTime(clubMs: number, sentMs: number, receivedMs = Date.now()): void {
  // A proxy may have answered without a time, or the device's clock was set meanwhile.
  if (!(clubMs > 0) || receivedMs < sentMs) return;
  setAhead(Math.min(Math.max(aheadMs, clubMs - receivedMs), clubMs - sentMs));
}

/** For a page that opens without a connection: `inClub(0)` of an earlier page. */
export function setAhead(ms: number): void {
  const moved = Math.abs(ms - aheadMs);
  aheadMs = ms;
  if (moved >= SHOWS_MS) for (const listener of listeners) listener();
}

/** Calls back when the displayed time was corrected. Returns an unsubscribe function. */
export function onCorrection(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
