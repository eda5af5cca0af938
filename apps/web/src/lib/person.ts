import { forgetKept, keepForTab, keptForTab } from "./browser-storage.ts";

/** Whose page this is; null: a guest's; undefined: not known yet. */
let id: string | null | undefined;
/** Called when the page becomes another person's. */
const listeners = new Set<() => void>();
/** Called when it may have become another person's in another tab. */
const elsewhere = new Set<() => void>();
const forgetters: (() => void)[] = [];
/** Aborts the person's calls. */
let calls = new AbortController();
/** How many times somebody has left this page. */
let departures = 0;

const WHOSE = "krug.whose";
/** The channel on which the browser's tabs report who is signed in. */
const TABS = "krug.person";
const tabs = new BroadcastChannel(TABS);
tabs.addEventListener("message", ({ data }: MessageEvent<string | null>) => {
  if (id !== undefined && data !== id) for (const listener of elsewhere) listener();
});

/**
 * Page state that belongs to the signed-in person. It is reset for each of them. Any other module-level state must belong to nobody
 * (person.test.ts).
 */
export function ofPerson<Value>(fresh: () => Value): { now: Value } {
  const cell = { now: fresh() };
  forgetters.push(() => {
    cell.now = fresh();
  });
  return cell;
}

export const person = {
  id: () => id,
  departures: () => departures,
  /** One person's answer never reaches the next. */
  calls: () => calls.signal,

  /** The panel has reported who is signed in. If it is somebody else than before, everything stored for the former person is deleted. */
  is(next: string | null) {
    if (next === id) return;
    const former = id;
    id = next;
    // A tab that the browser restored has its old storage. A guest's drafts end with the sign-in.
    if (former !== undefined || ![null, next].includes(keptForTab(WHOSE))) forgetKept("tab");
    keepForTab(WHOSE, next);
    if (next === null || typeof former === "string") forgetKept("browser");
    if (former === undefined) return;
    forgetMemory(typeof former === "string");
    tabs.postMessage(next);
  },

  /** Calls when the page becomes another person's. Returns an unsubscribe function. */
  onChange(listener: () => void): () => void {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },

  /** Calls when another tab reports that somebody else, or nobody, is signed in now. Returns an unsubscribe function. */
  onChangeElsewhere(listener: () => void): () => void {
    elsewhere.add(listener);
    return () => void elsewhere.delete(listener);
  },

  /** For tests: a page that was just opened. What outlives a page remains. */
  reopen() {
    id = undefined;
    listeners.clear();
    elsewhere.clear();
    forgetMemory(false);
  },
};

function forgetMemory(somebodyLeft: boolean) {
  if (somebodyLeft) {
    calls.abort();
    calls = new AbortController();
    departures++;
  }
  for (const forget of forgetters) forget();
  for (const listener of listeners) listener();
}
