import { isTroubled } from "./database/trouble.ts";
import type { Log } from "./log.ts";

/** Long work that goes on whether or not anybody watches, by id. */
export interface Pursuits {
  /** Starts the work, unless this panel is at it or stopping. */
  pursue(id: string): void;
  /** Resolves when this panel's work on it has ended; undefined: it is not at it. */
  underWay(id: string): Promise<void> | undefined;
  /** Aborted when the panel stops. */
  readonly signal: AbortSignal;
  /** Resolves when all work has ended. */
  stop(): Promise<void>;
}

/** `failed`: what the log says of work that threw anything but a database's trouble. */
export function makePursuits(log: Pick<Log, "error">, failed: string, work: (id: string) => Promise<void>): Pursuits {
  const underWay = new Map<string, Promise<void>>();
  const stopping = new AbortController();
  return {
    pursue(id) {
      if (underWay.has(id) || stopping.signal.aborted) return;
      const working = work(id)
        .catch((error: unknown) => {
          if (!isTroubled(error)) log.error({ err: error }, failed);
        })
        .finally(() => underWay.delete(id));
      underWay.set(id, working);
    },
    underWay: (id) => underWay.get(id),
    signal: stopping.signal,
    async stop() {
      stopping.abort();
      await Promise.all(underWay.values());
    },
  };
}
