import { useEffect } from "react";
import { useSpeech } from "../lib/i18n/use-text.tsx";

/** After each sign-in, a browser with notifications reports whose it is now, and its language. */
export function usePushKept(enabled: boolean): void {
  const { language } = useSpeech();
  useEffect(() => {
    if (!enabled || globalThis.Notification?.permission !== "granted") return;
    // Later visits repeat it: nothing depends on this one.
    import("../features/messages/push/this-browser.ts").then(({ keepHere }) => keepHere(language)).catch(() => {});
  }, [enabled, language]);
}
