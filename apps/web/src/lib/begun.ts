import { useSyncExternalStore } from "react";
import { BEGUN } from "./browser-storage.ts";
import { ofPerson, person } from "./person.ts";

/**
 * Drafts of the signed-in person: what they have started and not sent. A draft outlives the page and a silence of the panel, which
 * empties local storage. All tabs share it, no request carries it, and it is deleted when the person leaves (lib/person.ts).
 */
export const begun = {
  read: <Value>(place: string): Value | undefined => known.now.get(place) as Value | undefined,

  /** All whose place starts with `beginning`. */
  all: <Value>(beginning: string): Value[] =>
    [...known.now].filter(([place]) => place.startsWith(beginning)).map(([, value]) => value as Value),

  /** undefined deletes it. */
  write(place: string, value: unknown) {
    const owner = person.id();
    become(place, value);
    if (typeof owner !== "string") return;
    shelf.put(owner, place, value);
    tabs.postMessage({ owner, place, value });
  },
};

/** Storage for drafts while no page is open. */
export interface Shelf {
  /** Reads this owner's drafts and deletes everyone else's. */
  read(owner: string): Promise<[place: string, value: unknown][]>;
  put(owner: string, place: string, value: unknown): void;
}

const known = ofPerson(() => new Map<string, unknown>());
/** Whether the whole shelf has been read. */
const reading = ofPerson(() => ({ begun: false, done: false }));
const listeners = new Set<() => void>();
let version = 0;

function changed() {
  version++;
  for (const listener of listeners) listener();
}

function become(place: string, value: unknown) {
  if (value === undefined) known.now.delete(place);
  else known.now.set(place, value);
  changed();
}

async function read() {
  const mine = reading.now;
  const owner = person.id();
  if (mine.begun || typeof owner !== "string") return;
  mine.begun = true;
  const found = await shelf.read(owner).catch(() => []);
  // By now the page is somebody else's.
  if (mine !== reading.now) return;
  mine.done = true;
  // What was written meanwhile is newer.
  for (const [place, value] of found) if (!known.now.has(place)) known.now.set(place, value);
  changed();
}

function listen(listener: () => void) {
  listeners.add(listener);
  void read();
  return () => void listeners.delete(listener);
}

/** Redraws when a draft changes. Returns whether all are read, which takes a moment in a page that was just opened. */
export function useBegun(): boolean {
  useSyncExternalStore(listen, () => version);
  return reading.now.done;
}

const tabs = new BroadcastChannel(BEGUN);
tabs.addEventListener("message", ({ data }: MessageEvent<{ owner: string; place: string; value: unknown }>) => {
  if (data.owner === person.id()) become(data.place, data.value);
});

const STORE = "begun";

/** A browser may forbid it. Then drafts last as long as the page. */
let opening: Promise<IDBDatabase> | null = null;

function open(): Promise<IDBDatabase> {
  opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(BEGUN, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      const database = request.result;
      // It is being deleted, here or by another tab.
      database.onversionchange = () => {
        database.close();
        opening = null;
      };
      resolve(database);
    };
  });
  opening.catch(() => {
    opening = null;
  });
  return opening;
}

const answerOf = <Value>(request: IDBRequest<Value>) =>
  new Promise<Value>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

const inBrowser: Shelf = {
  async read(owner) {
    const store = (await open()).transaction(STORE, "readwrite").objectStore(STORE);
    const [keys, values] = await Promise.all([answerOf(store.getAllKeys()), answerOf(store.getAll())]);
    return (keys as [string, string][]).flatMap((key, index): [string, unknown][] => {
      if (key[0] === owner) return [[key[1], values[index]]];
      store.delete(key);
      return [];
    });
  },
  put(owner, place, value) {
    const write = (database: IDBDatabase) => {
      if (person.id() !== owner) return;
      const transaction = database.transaction(STORE, "readwrite", { durability: "relaxed" });
      const store = transaction.objectStore(STORE);
      if (value === undefined) store.delete([owner, place]);
      else store.put(value, [owner, place]);
      // The page may be gone in a moment.
      transaction.commit?.();
    };
    open()
      .then(write)
      .catch(() => {});
  },
};

let shelf: Shelf = inBrowser;

/** For tests, which have no browser database. */
export const putShelf = (other: Shelf) => {
  shelf = other;
};
