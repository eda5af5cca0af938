import { keepForTab, keptForTab } from "./browser-storage.ts";

/** What the program around the page may put into it (https://core.telegram.org/api/web-events). */
interface Around {
  TelegramWebviewProxy?: { postEvent(event: string, data: string): void };
  external?: { notify?(message: string): void };
  Telegram?: unknown;
  TelegramGameProxy?: unknown;
  TelegramGameProxy_receiveEvent?: unknown;
}
const around = window as unknown as Around;

/** The only page that may frame this one (apps/server/src/features/messages/telegram/mini-app.ts). */
const TELEGRAM_WEB = "https://web.telegram.org";
const VERSION = "krug.telegram";

type Listener = (data: Readonly<Record<string, unknown>>) => void;
const listeners = new Map<string, Set<Listener>>();

/** Tells the program around the page something. A version that does not know the event ignores it. */
export function post(eventType: string, eventData: object = {}): void {
  const { TelegramWebviewProxy, external } = around;
  if (TelegramWebviewProxy) TelegramWebviewProxy.postEvent(eventType, JSON.stringify(eventData));
  else if (external?.notify) external.notify(JSON.stringify({ eventType, eventData }));
  else if (parent !== window) parent.postMessage(JSON.stringify({ eventType, eventData }), TELEGRAM_WEB);
}

/** Calls `listener` when the program around the page tells this. Returns an unsubscribe function. */
export function subscribe(eventType: string, listener: Listener): () => void {
  const known = listeners.get(eventType) ?? new Set();
  listeners.set(eventType, known.add(listener));
  return () => void known.delete(listener);
}

/** From now on the program around the page is heard. */
export function listen(): void {
  const receiveEvent = (eventType: string, data: unknown) => {
    for (const listener of listeners.get(eventType) ?? []) listener((data ?? {}) as Parameters<Listener>[0]);
  };
  // Under the names that its iOS, Android and desktop versions call.
  Object.assign(around, {
    Telegram: { WebView: { receiveEvent } },
    TelegramGameProxy: { receiveEvent },
    TelegramGameProxy_receiveEvent: receiveEvent,
  });
  addEventListener("message", ({ source, origin, data }) => {
    if (source !== parent || origin !== TELEGRAM_WEB) return;
    try {
      const { eventType, eventData } = JSON.parse(String(data)) as { eventType: string; eventData: unknown };
      receiveEvent(eventType, eventData);
    } catch {
      // Not one of these events.
    }
  });
}

/** What Telegram signed, to be sent once. */
export function takeInitData(): string | null {
  const { krugTelegram } = globalThis;
  const initData = krugTelegram?.initData ?? null;
  if (krugTelegram) krugTelegram.initData = null;
  return initData;
}

/** Whether the program around the page knows what came with this version of the Bot API. After a reload it no longer says. */
export function knows(major: number, minor: number): boolean {
  const [is = 0, isMinor = 0] = (globalThis.krugTelegram?.version ?? keptVersion()).split(".").map(Number);
  return is > major || (is === major && isMinor >= minor);
}

/** For the next reload; what belongs to a person is deleted from there. */
export function keepVersion(): void {
  const version = globalThis.krugTelegram?.version;
  addEventListener("pagehide", () => keepForTab(VERSION, version ?? keptVersion()));
}
const keptVersion = () => keptForTab(VERSION) ?? "6.0";
