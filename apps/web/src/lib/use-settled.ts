import { useSyncExternalStore } from "react";

/** Secondary content comes no later than this after what a person waits for. */
const AT_THE_LATEST_MS = 1_500;

/** Browsers that cannot report when they are idle get everything at once. */
let settled = typeof requestIdleCallback === "undefined";
let stands = false;
const listeners = new Set<() => void>();

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

function settle() {
  settled = true;
  for (const listener of listeners) listener();
}

/** Call it when a screen is in the page. Once it is painted and the browser is idle, the rest loads. */
export function screenStands(): void {
  if (settled || stands) return;
  stands = true;
  requestAnimationFrame(() => setTimeout(() => requestIdleCallback(settle, { timeout: AT_THE_LATEST_MS })));
}

/** Whether the first screen is drawn. Counts, charts and what is below the fold come after it. */
export const useSettled = (): boolean => useSyncExternalStore(subscribe, () => settled);
