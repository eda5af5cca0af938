/**
 * Runs `work` when its turn comes: at most `atOnce` at a time, in request order. Returns null without running it if
 * `mostWaiting` already wait.
 */
export function makeTurns(atOnce: number, mostWaiting = Number.POSITIVE_INFINITY) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <Result>(work: () => Promise<Result>): Promise<{ result: Result } | null> => {
    if (running < atOnce) running += 1;
    else if (waiting.length >= mostWaiting) return null;
    // Finished work passes its place on directly, so nobody gets in between.
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return { result: await work() };
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}

/** Like above, one at a time for each key; unused keys are forgotten. */
export function makeTurnsByKey() {
  const tails = new Map<string, Promise<unknown>>();
  return async <Result>(key: string, work: () => Promise<Result>): Promise<Result> => {
    const mine = (tails.get(key) ?? Promise.resolve()).then(work);
    const tail = mine.catch(() => {});
    tails.set(key, tail);
    try {
      return await mine;
    } finally {
      if (tails.get(key) === tail) tails.delete(key);
    }
  };
}

/** The same for one thing: two pieces of work never interleave. */
export function oneByOne() {
  const inTurn = makeTurnsByKey();
  return <Result>(work: () => Promise<Result>): Promise<Result> => inTurn("", work);
}

/** Runs `step` while it reports more, and once more if asked meanwhile; never two at a time. */
export function oneAtATime(step: () => Promise<boolean>, failed: (error: unknown) => void): () => void {
  let running = false;
  let again = false;
  const run = async () => {
    running = true;
    do {
      again = false;
      if (await step()) again = true;
    } while (again);
    running = false;
  };
  return () => {
    again = true;
    if (!running) run().catch(failed);
  };
}
