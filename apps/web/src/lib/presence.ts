/** A person's action causes calls within this long. Later ones come from timers or from others' changes. */
const SHOWS_WITHIN_MS = 10_000;
const SIGNS = ["pointerdown", "keydown", "wheel"] as const;

let lastSignAt: number | null = null;

/** Whether somebody is using this page: an untouched open page must not keep a session alive (decisions, section 3). */
export const presence = {
  /** Starts counting signs of a person; opening the page was one. Returns a function that stops it. */
  watch(): () => void {
    const note = () => {
      lastSignAt = performance.now();
    };
    note();
    const stop = presence.onSign(note);
    return () => {
      stop();
      lastSignAt = null;
    };
  },
  /** Calls at every touch, key press and scroll of a wheel. Returns an unsubscribe function. */
  onSign(call: () => void): () => void {
    for (const sign of SIGNS) addEventListener(sign, call, { capture: true, passive: true });
    return () => {
      for (const sign of SIGNS) removeEventListener(sign, call, { capture: true });
    };
  },
  /** True also if nothing watches for signs. */
  isFelt: (): boolean => lastSignAt === null || performance.now() - lastSignAt < SHOWS_WITHIN_MS,
};
