import { availability } from "./availability.ts";
import { ahead, type Code } from "./code.ts";

let isFetchingAhead = false;

/**
 * Prefetches code that the page may need, one file at a time and only while the browser is idle, so that the first tap works
 * without a connection. A fetched file may add more. If the panel falls silent, prefetching resumes when it is back.
 */
export async function fetchAhead(): Promise<void> {
  if (isFetchingAhead || isFrugal()) return;
  isFetchingAhead = true;
  try {
    for (let next = first(); next && availability.isUp(); next = first()) {
      ahead.delete(next);
      await rest();
      await next.load();
      if (next.state().trouble === "silent") ahead.add(next);
    }
  } finally {
    isFetchingAhead = false;
  }
  if (availability.isUp()) return;
  const leave = availability.subscribe(() => {
    if (!availability.isUp()) return;
    leave();
    void fetchAhead();
  });
}

const first = (): Code<unknown> | undefined => ahead.values().next().value;
const rest = () =>
  new Promise<void>((resolve) =>
    typeof requestIdleCallback === "undefined" ? setTimeout(resolve, 50) : requestIdleCallback(() => resolve()),
  );

/** Data saving is on, or the connection is so slow that prefetching would delay what the person asks for. */
export function isFrugal(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean; effectiveType?: string } };
  return connection?.saveData === true || connection?.effectiveType?.endsWith("2g") === true;
}
