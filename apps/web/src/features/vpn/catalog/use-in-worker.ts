import { useEffect, useState } from "react";
import type { Work, Works } from "./list-works.ts";

/** Calls `done` with the answer unless it was ended before. Returns what ends it. */
function begin(work: Work, done: (answer: unknown) => void): () => void {
  let isOver = false;
  const finish = (answer: unknown) => {
    if (!isOver) done(answer);
  };
  // The worker's file may be gone after an upgrade, and its answer matters more than a smooth page.
  const here = () => void import("./list-works.ts").then(({ doWork }) => isOver || finish(doWork(work)));
  const worker = typeof Worker === "undefined" ? null : new Worker(new URL("./list-worker.ts", import.meta.url));
  if (worker === null) here();
  else {
    worker.onmessage = ({ data }: MessageEvent<unknown>) => finish(data);
    worker.onerror = here;
    worker.postMessage(work);
  }
  return () => {
    isOver = true;
    worker?.terminate();
  };
}

/**
 * The latest answer to such work, computed off the main thread; undefined before the first. `args` is null if there is nothing to do, and the same
 * array while it is the same work: another array ends what runs.
 */
export function useInWorker<Name extends keyof Works>(
  name: Name,
  args: Parameters<Works[Name]> | null,
): { args: Parameters<Works[Name]>; answer: ReturnType<Works[Name]> } | undefined {
  const [latest, setLatest] = useState<{ args: Parameters<Works[Name]>; answer: ReturnType<Works[Name]> }>();
  useEffect(() => {
    if (args === null) return;
    return begin({ name, args }, (answer) => setLatest({ args, answer: answer as ReturnType<Works[Name]> }));
  }, [name, args]);
  return latest;
}
