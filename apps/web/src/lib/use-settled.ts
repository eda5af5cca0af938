import { useSyncExternalStore } from "react";

/** What a person waits for comes first; nobody waits longer than this for the rest. */
const AT_THE_LATEST_MS = 1_500;

/** Browsers that cannot tell when they are at rest get everything at once. */
let settled = typeof requestIdleCallback === "undefined";
const listeners = new Set<() => void>();

function subscribe(listener: () => void) {
  if (listeners.size === 0 && !settled)
    // Once more after the first rest: the screen itself is drawn only then.
    requestAnimationFrame(() => requestIdleCallback(settle, { timeout: AT_THE_LATEST_MS }));
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

function settle() {
  settled = true;
  for (const listener of listeners) listener();
}

/** Whether the first screen stands: what it can do without (counts, charts, what is below) is fetched and drawn after it. */
export const useSettled = (): boolean => useSyncExternalStore(subscribe, () => settled);
