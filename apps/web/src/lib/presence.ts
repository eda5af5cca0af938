/** What a person does shows in calls within this long; later ones are made by timers, or by what others did. */
const SHOWS_WITHIN_MS = 10_000;
const SIGNS = ["pointerdown", "keydown", "wheel"] as const;

let lastSignAt: number | null = null;

/** Whether somebody is at this page: an open page that nobody touches must not keep a session alive (decisions, section 3). */
export const presence = {
  /** From now on signs of a person count; opening the page was one. Answers how to stop. */
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
  /** Calls at every touch, key and turn of a wheel. Answers how to stop. */
  onSign(call: () => void): () => void {
    for (const sign of SIGNS) addEventListener(sign, call, { capture: true, passive: true });
    return () => {
      for (const sign of SIGNS) removeEventListener(sign, call, { capture: true });
    };
  },
  /** True also if nothing watches for signs. */
  isFelt: (): boolean => lastSignAt === null || performance.now() - lastSignAt < SHOWS_WITHIN_MS,
};
