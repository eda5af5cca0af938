/** SQLite's own limit: below it, copying the log into the file saves nothing. */
const WORTH_PAGES = 1_000;
/** 32 MB: then it is done between two changes, however busy the panel is. */
const MOST_PAGES = 8_000;
const QUIET_MS = 500;

/**
 * Copies SQLite's log into its file while nobody waits. By itself SQLite does that inside the commit that reaches its limit: with
 * two dozen indexes on configs, inside every thirtieth creation (docs/adr/0227-the-log-is-folded-while-nobody-waits.md).
 */
export function makeFolding({ pages, fold }: { pages(): number; fold(): Promise<unknown> }) {
  let timer: NodeJS.Timeout | undefined;
  let isFolding = false;
  /** As many pages are in the file already, until the log begins anew. */
  let folded = 0;
  const foldNow = async () => {
    timer = undefined;
    if (isFolding) return;
    isFolding = true;
    const all = pages();
    try {
      await fold();
      folded = all;
    } catch {
      // The next change tries again; a database in trouble says so elsewhere.
    } finally {
      isFolding = false;
    }
  };
  return {
    /** After each commit. */
    written(): void {
      const all = pages();
      if (all < folded) folded = 0;
      if (isFolding || all - folded < WORTH_PAGES) return;
      if (all - folded >= MOST_PAGES) {
        clearTimeout(timer);
        void foldNow();
      } else if (timer === undefined) timer = setTimeout(() => void foldNow(), QUIET_MS).unref();
      else timer.refresh();
    },
    stop: () => clearTimeout(timer),
  };
}
