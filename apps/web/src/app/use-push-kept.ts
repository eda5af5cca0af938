import { useEffect } from "react";
import { useSpeech } from "../lib/i18n/use-text.tsx";

/** A browser that shows notices says after each sign-in whose it is now, and in which language. */
export function usePushKept(enabled: boolean): void {
  const { language } = useSpeech();
  useEffect(() => {
    if (!enabled || globalThis.Notification?.permission !== "granted") return;
    // Later visits say it again: nothing depends on this one.
    import("../features/messages/push/this-browser.ts").then(({ keepHere }) => keepHere(language)).catch(() => {});
  }, [enabled, language]);
}
