import type { Given } from "./save-file.ts";

declare global {
  /** Set by build/in-telegram.js, which only the Mini App's page has. `give`, of a config's file: by app/in-telegram.tsx. */
  var krugTelegram:
    | { initData: string | null; version: string | null; give?: (configId: string) => Promise<Given> }
    | undefined;
}

/** Where this page's addresses begin: in Telegram's Mini App, which has cookies of its own (ADR 170), '/tg'; elsewhere ''. */
export const base = globalThis.krugTelegram ? "/tg" : "";
/** An address of the panel, as it is reached from this page. */
export const reached = (path: string): string => base + path;
/** Where its calls begin. */
export const callsAt = `${base}/api`;
