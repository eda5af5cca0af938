/** Many more than the viewers of a small club's servers need: each of 80 servers is still read every two seconds. */
const A_SECOND = 40;

/**
 * How many readings viewers may cause on a panel: at most 40 a second, so that many open pages do not delay what changes on the
 * wire. `nowMs` only goes forward.
 */
export function makeReadingBudget(nowMs: () => number = () => performance.now()) {
  let left = A_SECOND;
  let at = nowMs();
  return {
    /** Whether there is one left; if so it is taken. */
    take(): boolean {
      const now = nowMs();
      left = Math.min(A_SECOND, left + ((now - at) * A_SECOND) / 1_000);
      at = now;
      if (left < 1) return false;
      left -= 1;
      return true;
    },
  };
}
