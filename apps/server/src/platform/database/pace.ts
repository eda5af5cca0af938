/** A commit that takes as long has waited for its disk; one alone may have met a busy moment. */
const SLOW_MS = 400;
const SEVERAL = 3;
/** How long slow commits count, and how long there has to be none before the disk is well again. */
const COUNTS_MS = 60_000;

/** Whether commits are slow: every change, and on SQLite every page, waits for them. `nowMs` only goes forward. */
export function makePace(nowMs: () => number = () => performance.now()) {
  let slow: { at: number; ms: number }[] = [];
  let isTold = false;
  let tell: ((longestMs: number | null) => void) | null = null;
  /** The longest of late, ms; null while the disk is well. */
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
      // Once when it begins, and once when nothing of it is left.
      if (isTold ? slow.length > 0 : now === null) return;
      isTold = !isTold;
      tell?.(now);
    },
  };
}
