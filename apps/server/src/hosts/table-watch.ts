import type { Followed, Machine } from "./machine.ts";

/** Several deletions come as one: a flush tells every rule and chain. */
const GATHER_MS = 20;
// Short: until it runs again, only the look of every minute notices.
const RESTART_MS = { first: 250, most: 5_000 };

/** The program does not say when it listens. What was deleted before is looked for then. */
const LISTENS_AFTER_MS = 2_000;

export interface TableWatch {
  start(): void;
  stop(): void;
}

/**
 * Tells when something of our table was deleted, by whomever, us included. One program for as long as there is a table; where
 * it ends by itself it is started again after a growing wait.
 */
export function watchTable(machine: Machine, onDeleted: () => Promise<void>): TableWatch {
  let isWanted = false;
  let watching: Followed | null = null;
  let isTelling = false;
  let isOwed = false;
  let restartMs = RESTART_MS.first;

  // What comes while one deletion is answered is answered after it, so whoever deletes without end is answered one by one.
  const tell = () => {
    isOwed = true;
    if (isTelling) return;
    isTelling = true;
    setTimeout(async () => {
      isOwed = false;
      await onDeleted();
      isTelling = false;
      if (isOwed) tell();
    }, GATHER_MS).unref();
  };

  const watch = () => {
    if (!isWanted || watching !== null) return;
    const startedAt = Date.now();
    const mine = machine.follow("nft", ["monitor", "destroy"], {
      onLine(line) {
        if (line.includes("inet krug") || line.includes("lost")) tell();
      },
      onEnd() {
        watching = null;
        restartMs =
          Date.now() - startedAt > RESTART_MS.most ? RESTART_MS.first : Math.min(restartMs * 2, RESTART_MS.most);
        setTimeout(() => {
          watch();
          // What was deleted meanwhile nobody has told.
          tell();
        }, restartMs).unref();
      },
    });
    watching = mine;
    setTimeout(() => {
      if (watching === mine) tell();
    }, LISTENS_AFTER_MS).unref();
  };

  return {
    start() {
      if (isWanted) return;
      isWanted = true;
      watch();
    },
    stop() {
      isWanted = false;
      watching?.stop();
      watching = null;
    },
  };
}
