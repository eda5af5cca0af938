import { forgetKept, keepForTab, keptForTab } from "./browser-storage.ts";

/** Whose page this is; null: a guest's; undefined: nobody knows yet. */
let id: string | null | undefined;
/** What is told when the page becomes another person's. */
const listeners = new Set<() => void>();
/** What is told when it may have become so in another tab. */
const elsewhere = new Set<() => void>();
const forgetters: (() => void)[] = [];
/** Ends the calls that the person made. */
let calls = new AbortController();
/** How often somebody has left this page. */
let departures = 0;

const WHOSE = "krug.whose";
/** Where the browser's tabs tell each other who is signed in. */
const TABS = "krug.person";
const tabs = new BroadcastChannel(TABS);
tabs.addEventListener("message", ({ data }: MessageEvent<string | null>) => {
  if (id !== undefined && data !== id) for (const listener of elsewhere) listener();
});

/**
 * Something that the page keeps for whoever is signed in, beside what the panel keeps. It starts over with each of them; what stands at
 * the top of a module otherwise is nobody's (person.test.ts).
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
  /** An answer to one person's question never comes to the next. */
  calls: () => calls.signal,

  /** The panel has said who is signed in. If it is another one than until now, all that was kept for that one goes. */
  is(next: string | null) {
    if (next === id) return;
    const former = id;
    id = next;
    // A tab that the browser brought back has what it had. What a guest has begun ends with the sign-in.
    if (former !== undefined || ![null, next].includes(keptForTab(WHOSE))) forgetKept("tab");
    keepForTab(WHOSE, next);
    if (next === null || typeof former === "string") forgetKept("browser");
    if (former === undefined) return;
    forgetMemory(typeof former === "string");
    tabs.postMessage(next);
  },

  /** Calls when the page becomes another person's; answers how to stop. */
  onChange(listener: () => void): () => void {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },

  /** Calls when another tab says that somebody else is signed in now, or nobody; answers how to stop. */
  onChangeElsewhere(listener: () => void): () => void {
    elsewhere.add(listener);
    return () => void elsewhere.delete(listener);
  },

  /** For tests: a page that was just opened. What outlives a page stays. */
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
