/** A service manager and a person at a terminal wait for five seconds. By then the steps of the stop are over (end-work.ts). */
const STOP_WITHIN_MS = 4_800;
/** npm passes a Ctrl-C on that the panel has heard by itself: one act, not two. */
const SAME_SIGNAL_MS = 500;

/**
 * What a signal to end does: the first stops the panel in order, a second one ends it at once. `exit` gets 0 only for the
 * former, and within STOP_WITHIN_MS.
 */
export function stopBySignal(stop: () => Promise<void>, exit: (code: number) => void): () => void {
  let stoppingSince: number | null = null;
  return () => {
    if (stoppingSince !== null) {
      if (performance.now() - stoppingSince > SAME_SIGNAL_MS) exit(1);
      return;
    }
    stoppingSince = performance.now();
    setTimeout(() => exit(1), STOP_WITHIN_MS).unref();
    stop().then(
      () => exit(0),
      (error: unknown) => {
        console.error(error);
        exit(1);
      },
    );
  };
}
