import { useSyncExternalStore } from "react";
import { askHealth } from "./api.ts";
import { keepForTab, keptForTab } from "./browser-storage.ts";
import { deviceNow } from "./club-clock.ts";
import { loadWords } from "./i18n/later-words.ts";
import { isAnythingTyped } from "./typed.ts";

/** `silent`: the panel does not answer. `gone`: it answers but no longer has the file, since it was upgraded. */
export type CodeTrouble = "silent" | "gone";

export interface CodeState<Value> {
  value: Value | null;
  trouble: CodeTrouble | null;
}

/** A part of the application that is fetched separately from its page. */
export interface Code<Value> {
  /** Fetches it. Never rejects: settles with the value, or with null once it is known to be unavailable for now. */
  load: () => Promise<Value | null>;
  state: () => CodeState<Value>;
  /** While anyone listens, a failed fetch is retried. Returns an unsubscribe function. */
  listen: (listener: () => void) => () => void;
}

const TRY_AGAIN_MS = 3_000;
const RELOADED = "krug.reloaded";
const RELOADS_AGAIN_MS = 10 * 60_000;

/** Style sheets that could not be fetched. The bundler's loader never tries them again, and what needs them would open bare. */
const missingStyles = new Set<Element>();
globalThis.addEventListener?.(
  "error",
  ({ target }) => target instanceof Element && target.matches("[rel=stylesheet]") && missingStyles.add(target),
  true,
);
const fetchMissingStyles = () =>
  Promise.all(
    [...missingStyles].map((missing) => {
      const again = missing.cloneNode() as HTMLLinkElement;
      missingStyles.delete(missing);
      missing.replaceWith(again);
      return new Promise((resolve, reject) => Object.assign(again, { onload: resolve, onerror: reject }));
    }),
  );

/** What may be prefetched, in the order in which it became known. */
export const ahead = new Set<Code<unknown>>();

interface Options {
  /** false for large code that few people need */
  ahead?: boolean;
  /** false if a press opens it, since a reload would lose that press: the page says that the file is gone instead */
  reloads?: boolean;
}

export function makeCode<Value>(fetchIt: () => Promise<Value>, options: Options = {}): Code<Value> {
  let state: CodeState<Value> = { value: null, trouble: null };
  let fetching: Promise<Value | null> | null = null;
  const listeners = new Set<() => void>();
  const show = (next: CodeState<Value>) => {
    state = next;
    for (const listener of listeners) listener();
  };

  async function fetchOnce(): Promise<Value | null> {
    try {
      await fetchMissingStyles();
      const value = await fetchIt();
      await loadWords();
      ahead.delete(code);
      show({ value, trouble: null });
      return value;
    } catch {
      const answers = await askHealth().then(
        () => true,
        () => false,
      );
      if (answers && options.reloads !== false && listeners.size > 0 && reloadOnce()) return new Promise(() => {});
      show({ value: null, trouble: answers ? "gone" : "silent" });
      return null;
    } finally {
      fetching = null;
    }
  }

  const load = () => {
    if (state.value !== null) return Promise.resolve(state.value);
    fetching ??= fetchOnce();
    return fetching;
  };
  const tryAgain = () => void (state.trouble !== null && load());
  let timer: ReturnType<typeof setInterval> | undefined;
  const code: Code<Value> = {
    load,
    state: () => state,
    listen(listener) {
      listeners.add(listener);
      if (state.value === null) void load();
      timer ??= setInterval(tryAgain, TRY_AGAIN_MS);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
  if (options.ahead !== false) ahead.add(code);
  return code;
}

export const useCode = <Value>(code: Code<Value>): CodeState<Value> => useSyncExternalStore(code.listen, code.state);

/** Reloads an old page of an upgraded panel, unless somebody has begun to type. Returns whether it does. */
export function reloadOnce(): boolean {
  if (isAnythingTyped() || deviceNow() - Number(keptForTab(RELOADED)) < RELOADS_AGAIN_MS) return false;
  keepForTab(RELOADED, String(deviceNow()));
  // Without storage it might reload forever.
  if (keptForTab(RELOADED) === null) return false;
  window.location.reload();
  return true;
}
