import { callsAt } from "./base.ts";

/** A hidden page closes its connection after this long. */
const HIDDEN_FOR_MS = 60_000;
/** A refused stream is retried after this long, by chance up to twice, so that many pages do not return at once; then after twice as long, and so on. */
const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 60_000;
/**
 * Tabs announce here that they open a stream. Under HTTP/1.1 the browser has six connections to the panel for all of them, so hidden
 * ones then close theirs.
 */
const tabs = new BroadcastChannel("krug.live");

interface Listeners<EventData> {
  /** The stream's path under /api. */
  path: string;
  /** Event handlers, by event name. */
  events: { [Name in keyof EventData & string]?: (data: EventData[Name]) => void };
  /** The stream is back. Events in between were missed, so ask for the current state. */
  onGap: () => void;
  /** The connection broke, or the panel ended or refused it: one may ask why. */
  onBroken?: () => void;
  /** Whether it stays open while the page is hidden, for example if the title shows what is new. */
  whileHidden?: () => boolean;
}

/** Subscribes to changes while the page is visible. Returns an unsubscribe function. */
export function listenLive<EventData>({
  path,
  events,
  onGap,
  onBroken,
  whileHidden,
}: Listeners<EventData>): () => void {
  if (typeof EventSource === "undefined") return () => {};
  let source: EventSource | null = null;
  let missed = false;
  let waitMs = FIRST_WAIT_MS;
  let later: ReturnType<typeof setTimeout> | undefined;

  const close = () => {
    source?.close();
    source = null;
    missed = true;
    clearTimeout(later);
  };
  const open = () => {
    clearTimeout(later);
    if (source !== null) return;
    const opened = new EventSource(callsAt + path);
    source = opened;
    tabs.postMessage(whileHidden?.() ? path : null);
    opened.onopen = () => {
      waitMs = FIRST_WAIT_MS;
      if (missed) onGap();
      missed = false;
    };
    opened.onerror = () => {
      const refused = opened.readyState === EventSource.CLOSED;
      if (refused || !missed) onBroken?.();
      missed = true;
      // The browser reconnects by itself after silence, but never after a refusal.
      if (!refused) return;
      source = null;
      later = setTimeout(open, waitMs * (1 + Math.random()));
      waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS);
    };
    for (const name of Object.keys(events) as (keyof EventData & string)[])
      opened.addEventListener(name, ({ data }: MessageEvent<string>) => events[name]?.(JSON.parse(data)));
  };
  const isVisible = () => document.visibilityState === "visible";
  const look = () => {
    clearTimeout(later);
    if (whileHidden?.() || isVisible()) open();
    else later = setTimeout(close, HIDDEN_FOR_MS);
  };
  const makeRoom = ({ data: heldByOther }: MessageEvent<string | null>) => {
    if (!isVisible() && (!whileHidden?.() || heldByOther === path)) close();
  };

  document.addEventListener("visibilitychange", look);
  tabs.addEventListener("message", makeRoom);
  // A tab that was opened in the background may never be looked at.
  if (whileHidden?.() || isVisible()) open();
  else missed = true;
  return () => {
    document.removeEventListener("visibilitychange", look);
    tabs.removeEventListener("message", makeRoom);
    close();
  };
}
