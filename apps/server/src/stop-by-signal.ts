/** Service managers and people at a terminal wait five seconds. By then the stop's steps are over (end-work.ts). */
const STOP_WITHIN_MS = 4_800;
/** npm passes on a Ctrl-C that the panel has received itself: one action, not two. */
const SAME_SIGNAL_MS = 500;

/**
 * Handles a termination signal: the first stops the panel in order, a second one ends it at once. `exit` gets 0 only for the
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
