/** A commit that takes this long has waited for its disk; a single one may be a busy moment. */
const SLOW_MS = 400;
const SEVERAL = 3;
/** How long slow commits count, and how long the disk must go without one to be fast again. */
const COUNTS_MS = 60_000;

/** Whether commits are slow: every change, and on SQLite every page, waits for them. `nowMs` only goes forward. */
export function makePace(nowMs: () => number = () => performance.now()) {
  let slow: { at: number; ms: number }[] = [];
  let isTold = false;
  let tell: ((longestMs: number | null) => void) | null = null;
  /** The longest recent one, ms; null while the disk is fast. */
  const longest = (): number | null => {
    slow = slow.filter(({ at }) => at + COUNTS_MS > nowMs());
    return slow.length < SEVERAL ? null : Math.round(Math.max(...slow.map(({ ms }) => ms)));
  };
  return {
    longest,
    watch(listener: (longestMs: number | null) => void) {
      tell = listener;
    },
    committed(ms: number): void {
      if (ms >= SLOW_MS) slow.push({ at: nowMs(), ms });
      else if (!isTold) return;
      const now = longest();
      // Reported once when it starts, and once when it is over.
      if (isTold ? slow.length > 0 : now === null) return;
      isTold = !isTold;
      tell?.(now);
    },
  };
}
