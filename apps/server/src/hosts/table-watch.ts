import type { Followed, Machine } from "./machine.ts";

/** Gathers several deletions into one: a flush reports every rule and chain. */
const GATHER_MS = 20;
// Short: until it runs again, only the once-a-minute round notices deletions.
const RESTART_MS = { first: 250, most: 5_000 };

/** The program does not say when it starts listening. After this time we check for earlier deletions. */
const LISTENS_AFTER_MS = 2_000;

export interface TableWatch {
  start(): void;
  stop(): void;
}

/**
 * Reports when anyone, including us, deletes something in our table. Runs one program as long as there is a table; if it ends on
 * its own, it is restarted after a growing wait.
 */
export function watchTable(machine: Machine, onDeleted: () => Promise<void>): TableWatch {
  let isWanted = false;
  let watching: Followed | null = null;
  let isTelling = false;
  let isOwed = false;
  let restartMs = RESTART_MS.first;

  // Deletions while one is handled are handled after it, so endless deletions are handled one by one.
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
          // Nobody reported what was deleted meanwhile.
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
