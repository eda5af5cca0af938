interface Most {
  /** How many pieces of work may wait in total. */
  waiting: number;
  /** The limit for one holder; the same by default. */
  ofOne?: number;
}

/**
 * Runs `work` when its turn comes: at most `atOnce` at a time, the holders of waiting work in turn, each holder's own in request
 * order. Returns null without running it if too much waits already.
 */
export function makeFairLimiter(atOnce: number, { waiting: mostWaiting, ofOne = mostWaiting }: Most) {
  /** By holder, in the order of their turns. */
  const waiting = new Map<string, (() => void)[]>();
  let count = 0;
  let running = 0;

  const passOn = () => {
    const [next] = waiting;
    if (next === undefined) {
      running -= 1;
      return;
    }
    const [holder, own] = next;
    const begin = own.shift();
    waiting.delete(holder);
    if (own.length > 0) waiting.set(holder, own);
    count -= 1;
    begin?.();
  };
  return async <Result>(holder: string, work: () => Promise<Result>): Promise<{ result: Result } | null> => {
    const own = waiting.get(holder);
    if (running < atOnce) running += 1;
    else if (count >= mostWaiting || (own?.length ?? 0) >= ofOne) return null;
    else
      await new Promise<void>((begin) => {
        if (own === undefined) waiting.set(holder, [begin]);
        else own.push(begin);
        count += 1;
      });
    try {
      return { result: await work() };
    } finally {
      // Finished work passes its place on directly, so nobody gets in between.
      passOn();
    }
  };
}

/** The same for work without a holder: in request order. */
export function makeLimiter(atOnce: number, mostWaiting = Number.POSITIVE_INFINITY) {
  const limited = makeFairLimiter(atOnce, { waiting: mostWaiting });
  return <Result>(work: () => Promise<Result>): Promise<{ result: Result } | null> => limited("", work);
}

/** One at a time per key, and other keys do not wait for it; unused keys are dropped. */
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

/** The same for a single key: two pieces of work never interleave. */
export function oneByOne() {
  const limited = makeTurnsByKey();
  return <Result>(work: () => Promise<Result>): Promise<Result> => limited("", work);
}

/** Runs `step` while it reports more, and once more if requested meanwhile; never two at a time. */
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
