import { forgetAfterSilence } from "./browser-storage.ts";
import { deviceNow } from "./club-clock.ts";

/** Since when the panel has not answered (ms since 1970, by this device's clock), or null while it answers. */
let silentSince: number | null = null;
const listeners = new Set<() => void>();
const unansweredListeners = new Set<() => void>();

function change(since: number | null) {
  silentSince = since;
  for (const listener of listeners) listener();
}

function listenIn(all: Set<() => void>, listener: () => void) {
  all.add(listener);
  return () => void all.delete(listener);
}

export const availability = {
  isUp: () => silentSince === null,
  silentSince: () => silentSince,
  up() {
    if (silentSince !== null) change(null);
  },
  down() {
    if (silentSince !== null) return;
    forgetAfterSilence();
    change(deviceNow());
  },
  subscribe: (listener: () => void) => listenIn(listeners, listener),
  /** A person's action got no answer from the panel. */
  unanswered() {
    for (const listener of unansweredListeners) listener();
  },
  onUnanswered: (listener: () => void) => listenIn(unansweredListeners, listener),
};
