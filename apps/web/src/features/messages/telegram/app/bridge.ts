import { keepForTab, keptForTab } from "../../../../lib/browser-storage.ts";

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

type Hear = (data: Readonly<Record<string, unknown>>) => void;
const hearers = new Map<string, Set<Hear>>();

/** Tells the program around the page something. A version that does not know the event ignores it. */
export function post(eventType: string, eventData: object = {}): void {
  const { TelegramWebviewProxy, external } = around;
  if (TelegramWebviewProxy) TelegramWebviewProxy.postEvent(eventType, JSON.stringify(eventData));
  else if (external?.notify) external.notify(JSON.stringify({ eventType, eventData }));
  else if (parent !== window) parent.postMessage(JSON.stringify({ eventType, eventData }), TELEGRAM_WEB);
}

/** Calls `hear` when the program around the page tells this. Returns an unsubscribe function. */
export function hear(eventType: string, hearer: Hear): () => void {
  const known = hearers.get(eventType) ?? new Set();
  hearers.set(eventType, known.add(hearer));
  return () => void known.delete(hearer);
}

/** From now on the program around the page is heard. */
export function listen(): void {
  const receiveEvent = (eventType: string, data: unknown) => {
    for (const hearer of hearers.get(eventType) ?? []) hearer((data ?? {}) as Parameters<Hear>[0]);
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
