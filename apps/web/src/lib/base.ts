import type { Given } from "./save-file.ts";

declare global {
  /** Set by build/in-telegram.js, which only the Mini App's page has. `give`, of a config's file: by app/in-telegram.tsx. */
  var krugTelegram:
    | { initData: string | null; version: string | null; give?: (configId: string) => Promise<Given> }
    | undefined;
}

/** Where this page's addresses begin: in Telegram's Mini App, which has cookies of its own (ADR 170), '/tg'; elsewhere ''. */
export const base = globalThis.krugTelegram ? "/tg" : "";
/** Where its calls begin. */
export const callsAt = `${base}/api`;
