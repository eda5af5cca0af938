import { useSyncExternalStore } from "react";

/** What a person waits for comes first; the rest comes after this at the latest. */
const AT_THE_LATEST_MS = 1_500;

/** Browsers that cannot tell when they are at rest get everything at once. */
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

/** To be called when a screen has been put into the page: once it is painted and the browser rests, the rest may come. */
export function screenStands(): void {
  if (settled || stands) return;
  stands = true;
  requestAnimationFrame(() => setTimeout(() => requestIdleCallback(settle, { timeout: AT_THE_LATEST_MS })));
}

/** Whether the first screen is drawn: what it can do without (counts, charts, what is below) comes after it. */
export const useSettled = (): boolean => useSyncExternalStore(subscribe, () => settled);
